import { describe, expect, it } from 'vitest'
import { sessionLoad } from '../../core/budget/session-load'
import { readFillRows } from '../../db/queries/fill-rows'
import { runtimePolicyWith, settingsFile } from '../../testing/builders/runtime-policy'
import { insertCrowd } from '../../testing/builders/session-crowd'
import { BUILDER_NOW, insertSession, insertStore } from '../../testing/builders/session-rows'
import { createTestDatabase } from '../../testing/database'
import { nearestRows, orderRows, rankRows } from './fill-ranking'

const DAY = 86_400_000

const early = runtimePolicyWith({
  owner: 'library',
  own: settingsFile('plimsoll.yaml', { lines: { compact: { at: 0.2 } } }),
})
const usual = runtimePolicyWith()

async function ranked(fill: (database: ReturnType<typeof createTestDatabase>) => void) {
  const database = createTestDatabase()
  fill(database)
  const rows = readFillRows(database)
  await database.destroy()
  return rankRows(rows, ({ agent, model, window }) =>
    sessionLoad(
      agent === 'early' ? early : usual,
      model,
      window === null ? null : { tokens: window, source: 'model' },
    ),
  )
}

describe('X9: sessions by fill', () => {
  it('lists live sessions that changed lately, nearest to the line of their own policy first', async () => {
    const rows = await ranked(({ connection }) => {
      insertStore(connection)
      const session = (row: number, values: Record<string, string | number | null>) =>
        insertSession(connection, { row, id: `s${row}`, calls: 5, window: 200_000, ...values })
      session(1, { contextTokens: 60_000 })
      session(2, { contextTokens: 80_000 })
      session(3, { contextTokens: null })
      session(4, { contextTokens: 199_000, state: 'reset' })
      session(5, { contextTokens: 199_000, updatedAt: BUILDER_NOW - 30 * DAY })
      session(6, { contextTokens: 199_000, calls: 0 })
      session(7, { contextTokens: 50_000, agent: 'early' })
    })
    expect(nearestRows(rows, BUILDER_NOW - DAY)).toEqual([7, 2, 1, 3])
    expect(orderRows(rows, 'share', 'desc').slice(3, 6)).toEqual([2, 1, 7])
  })

  it('keeps what is unknown last in both directions, and every row once', async () => {
    const rows = await ranked(({ connection }) => insertCrowd(connection, { count: 450 }))
    const shares = new Map(rows.map(({ row, share }) => [row, share]))
    for (const direction of ['asc', 'desc'] as const) {
      const order = orderRows(rows, 'share', direction)
      expect(new Set(order).size).toBe(450)
      const found = order.map((row) => shares.get(row) ?? null)
      const known = found.filter((share) => share !== null)
      expect(known.length).toBeGreaterThan(100)
      expect(found.slice(known.length)).toEqual(Array(450 - known.length).fill(null))
      expect(known).toEqual([...known].sort((a, b) => (direction === 'asc' ? a - b : b - a)))
    }
  })
})
