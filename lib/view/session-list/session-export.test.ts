import { expect, it } from 'vitest'
import { EXPORTED_COLUMNS, sessionCells } from './session-export'
import type { SessionListRow } from './session-list'

const ROW: SessionListRow = {
  ...{
    id: 'a1',
    title: 'Berth plan',
    agent: 'main',
    channel: null,
    model: 'm',
    store: 'home',
    kind: 'codex',
  },
  ...{
    demo: false,
    state: 'live',
    problem: null,
    calls: 4,
    compactions: 1,
    unreadable: 0,
    copies: 2,
    agents: 3,
  },
  fill: { load: null, contextTokens: 900, contextBasis: 'estimated', contextErrorPct: 6, trend: [] },
  cost: { usd: null, listUsd: 0.25, calls: 4, unknownCalls: 4, unpriced: 1 },
  ...{ updatedAt: Date.UTC(2026, 10, 1), found: null },
}

const exported = (row: SessionListRow) => {
  const cells = sessionCells(row)
  expect(cells).toHaveLength(EXPORTED_COLUMNS.length)
  return Object.fromEntries(EXPORTED_COLUMNS.map((column, i) => [column, cells[i]]))
}

it('X21: a session as a row: an estimate says so, money is separated by its source, unknown is empty', () => {
  expect(exported(ROW)).toMatchObject({
    ...{ id: 'a1', session: 'Berth plan', runtime: 'Codex', channel: null, 'sub-agents': 3 },
    ...{ 'context tokens': 900, basis: 'estimated', 'error (%)': 6, 'effective budget': null },
    'cost as recorded (USD)': null,
    'of the rest at list price (USD)': 0.25,
    'requests without a price': 1,
    updated: '2026-11-01T00:00:00.000Z',
  })
})

it('X21: a window that is unknown has no fill', () => {
  const unknown = {
    ...ROW,
    updatedAt: null,
    fill: { ...ROW.fill, contextTokens: null, contextBasis: 'unknown' },
  }
  expect(exported(unknown)).toMatchObject({
    ...{ 'context tokens': null, basis: 'unknown', 'error (%)': null, updated: null },
    'fill (share of the budget)': null,
  })
})
