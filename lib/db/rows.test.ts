import { describe, expect, it } from 'vitest'
import type { Frame } from '../core/tokens/frame'
import type { EntryFact } from '../core/transcript/entry'
import { basesOf, categoriesJsonOf, frameOfRow } from './call-row'
import { factJsonOf, factOfRow, unitsOf } from './entry-row'

const fact: EntryFact = {
  seq: 3,
  line: 4,
  offset: 900,
  bytes: 120,
  type: 'message',
  role: 'assistant',
  id: 'a1',
  parentId: null,
  at: 1_700_000_000_123,
  units: { assistant: 10, 'tool-call': 4 },
  calls: [{ id: 'c', name: 'bash' }],
  provider: 'anthropic',
  model: 'claude',
  usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, costUsd: null },
  preview: 'hello "you"',
  problem: 'odd',
  toolName: 'bash',
}

describe('rows of the database', () => {
  it('give back the fact that they were made from', () => {
    const { id, toolName, at, role, preview, problem, ...columns } = fact
    const row = {
      ...columns,
      role: role ?? null,
      preview: preview ?? null,
      problem: problem ?? null,
      entryId: id,
      tool: toolName ?? null,
      at: new Date(at ?? 0),
      factJson: factJsonOf(fact),
    }
    expect(factOfRow(row)).toEqual(fact)
    expect(factJsonOf(fact)).not.toContain('hello')
    expect(unitsOf(fact.units)).toBe(14)
    expect(unitsOf(undefined)).toBe(0)
  })

  it('give back the frame that they were made from', () => {
    const frame: Frame = {
      call: 2,
      seq: 3,
      at: 5,
      provider: 'p',
      model: 'm',
      window: { tokens: 200_000, source: 'model' },
      total: { value: 100, basis: 'estimated', errorPct: 4 },
      categories: { user: 40, residual: 60 },
      basis: { user: 'measured', residual: 'estimated' },
      errorPct: 9,
      output: { value: null, basis: 'unknown' },
      cacheRead: 0,
      cacheWrite: null,
      stopReason: 'stop',
    }
    const row = {
      n: 2,
      seq: 3,
      at: 5,
      provider: 'p',
      model: 'm',
      window: 200_000,
      windowSource: 'model',
      total: 100,
      basis: 'estimated',
      errorPct: 4,
      splitErrorPct: 9,
      categoriesJson: categoriesJsonOf(frame),
      bases: basesOf(frame),
      output: null,
      cacheRead: 0,
      cacheWrite: null,
      stopReason: 'stop',
    }
    expect(frameOfRow(row)).toEqual(frame)
  })
})
