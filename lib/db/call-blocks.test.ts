import { afterEach, describe, expect, it } from 'vitest'
import type { Frame } from '../core/tokens/frame'
import { createTestDatabase, type TestDatabase } from '../testing/database'
import { frameOfCall, packCalls, readCallBlocks } from './call-blocks'

let database: TestDatabase | null = null
afterEach(async () => {
  await database?.destroy()
  database = null
})

const frame: Frame = {
  call: 7,
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
  seenTokens: null,
  sent: null,
}
const unknown: Frame = {
  ...frame,
  call: 8,
  total: { value: null, basis: 'unknown' },
  categories: {},
  basis: {},
}
/** A prompt larger than the window that the runtime reckons with. */
const proved: Frame = {
  ...frame,
  call: 10,
  window: { tokens: 210_000, source: 'observed', believed: { tokens: 200_000, source: 'model' } },
}

describe('blocks of calls', () => {
  it('give back the frames and costs that they were made from', async () => {
    database = createTestDatabase()
    const { prisma, connection } = database
    await prisma.store.create({
      data: {
        id: 's',
        kind: 'pi',
        era: 'jsonl',
        root: '/',
        label: '',
        state: 'ok',
        firstSeenAt: new Date(0),
      },
    })
    const { row } = await prisma.session.create({
      data: { id: 'a', storeId: 's', sessionId: 'x', path: '/x', state: 'live' },
    })
    const packed = packCalls(
      [frame, unknown, unknown, proved],
      [
        { recorded: 0.25, listed: null, source: null },
        { recorded: null, listed: 1.5, source: 'list' },
        { recorded: null, listed: 2, source: 'settings' },
        null,
      ],
    )
    await prisma.callBlock.create({ data: { sessionRow: row, firstN: 7, count: 4, ...packed } })
    const calls = readCallBlocks(connection, row)
    expect(calls.map(frameOfCall)).toEqual([frame, unknown, { ...unknown, call: 9 }, proved])
    expect(calls.map(({ costUsd, listUsd, listFrom }) => [costUsd, listUsd, listFrom])).toEqual([
      [0.25, null, null],
      [null, 1.5, 'list'],
      [null, 2, 'settings'],
      [null, null, null],
    ])
    expect(readCallBlocks(connection, row + 1)).toEqual([])
  })
})
