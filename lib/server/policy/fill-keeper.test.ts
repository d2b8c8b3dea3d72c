import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readSessionFills } from '../../db/queries/fills'
import { insertCall, insertSession, insertStore } from '../../testing/builders/session-rows'
import { createTestDatabase, type TestDatabase } from '../../testing/database'
import { crossedAt } from '../../view/policy/policy-fills'
import { FillKeeper } from './fill-keeper'

let database: TestDatabase

beforeEach(() => {
  database = createTestDatabase()
  insertStore(database.connection)
})

afterEach(() => database.destroy())

function session(
  row: number,
  totals: readonly (number | null)[],
  values: { readonly state?: string; readonly sessionId?: string } = {},
) {
  const { connection } = database
  insertSession(connection, { row, id: `session${row}`, calls: totals.length, revision: row, ...values })
  totals.forEach((total, i) => {
    insertCall(connection, { sessionRow: row, n: i + 1, total, window: 200_000 })
  })
}

describe('X8 fills of all sessions', () => {
  it('come from every call in order, unknown sizes left unknown', async () => {
    session(1, [10_000, null, 120_000])
    session(2, [50_000])
    session(3, [])
    expect(readSessionFills(database, { first: 1, last: 2 })).toEqual([
      expect.objectContaining({
        row: 1,
        totals: [10_000, null, 120_000],
        windows: [200_000, 200_000, 200_000],
      }),
      expect.objectContaining({ row: 2, totals: [50_000], windows: [200_000] }),
    ])
    const fills = await new FillKeeper().read(database)
    expect(fills).toMatchObject({ sessions: 2, calls: 4, unknownCalls: 1 })
    expect(crossedAt(fills, () => 0.5)).toMatchObject({ sessions: 1, of: 2, times: 1 })
  })

  it('leave out the copies that a runtime makes of its transcripts, and a checkpoint without its session not', async () => {
    session(1, [120_000], { sessionId: 'harbour' })
    for (const [i, state] of ['backup', 'checkpoint', 'imported', 'gone', 'reset', 'deleted'].entries()) {
      session(i + 2, [120_000], { state, sessionId: 'harbour' })
    }
    session(8, [120_000], { state: 'checkpoint', sessionId: 'alone' })
    expect((await new FillKeeper().read(database)).sessions).toBe(4)
  })

  it('follow what changes, session by session', async () => {
    const keeper = new FillKeeper()
    for (let row = 1; row <= 450; row++) session(row, [row % 2 === 0 ? 120_000 : 10_000])
    const first = await keeper.read(database)
    expect(crossedAt(first, () => 0.5)).toMatchObject({ sessions: 225, of: 450 })
    expect(await keeper.read(database)).toBe(first)

    insertCall(database.connection, { sessionRow: 3, n: 2, total: 130_000, window: 200_000 })
    database.connection.run('UPDATE "Session" SET "revision" = 1000, "calls" = 2 WHERE "row" = 3')
    database.connection.run('DELETE FROM "Session" WHERE "row" IN (2, 4)')
    const [again, other] = await Promise.all([keeper.read(database), keeper.read(database)])
    expect(other).toBe(again)
    expect(crossedAt(again, () => 0.5)).toMatchObject({ sessions: 224, of: 448, times: 224 })
    expect(again.calls).toBe(449)
  })
})
