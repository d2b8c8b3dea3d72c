import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertCrowd } from '../../testing/builders/session-crowd'
import { insertSession, insertSessionBill, insertStore } from '../../testing/builders/session-rows'
import { createTestDatabase, type TestDatabase } from '../../testing/database'
import { readSessionFacets, readSessionPage, readSessionRows, type SessionFilter } from './session-page'

const NOTHING: SessionFilter = {
  store: null,
  kind: null,
  agent: null,
  model: null,
  state: null,
  rows: null,
  fold: true,
  family: null,
  tool: null,
  agents: null,
}

describe('X2: windows of the list of sessions', () => {
  let database: TestDatabase

  beforeAll(async () => {
    database = createTestDatabase()
    await database.connection.write(() => insertCrowd(database.connection, { count: 450 }))
  })
  afterAll(() => database.destroy())

  const page = (values: Partial<Parameters<typeof readSessionPage>[1]>) =>
    readSessionPage(database, {
      filter: NOTHING,
      order: 'updated',
      direction: 'desc',
      offset: 0,
      limit: 100,
      ...values,
    })

  it('parts the whole list into windows without gap or overlap, in every order', async () => {
    for (const order of ['updated', 'name', 'agent', 'model', 'calls', 'cost'] as const) {
      for (const direction of ['asc', 'desc'] as const) {
        const seen = new Set<number>()
        for (let offset = 0; offset < 450; offset += 100) {
          const { sessions, total } = await page({ order, direction, offset })
          expect(total).toBe(450)
          for (const session of sessions) seen.add(session.row)
        }
        expect(seen.size, `${order} ${direction}`).toBe(450)
      }
    }
  })

  it('filters, and counts what passes', async () => {
    const gone = await page({ filter: { ...NOTHING, state: 'gone' }, limit: 450 })
    expect(gone.total).toBe(gone.sessions.length)
    expect(new Set(gone.sessions.map(({ state }) => state))).toEqual(new Set(['gone']))
    const chosen = await page({ filter: { ...NOTHING, rows: [3, 5, 9999] } })
    expect(chosen.sessions.map(({ row }) => row).sort()).toEqual([3, 5])
    expect((await page({ filter: { ...NOTHING, rows: [] } })).total).toBe(0)
    const rows = await readSessionRows(database, { ...NOTHING, state: 'gone' })
    expect(rows).toHaveLength(gone.total)
  })

  it('offers as filter values what there is, with counts that hold', async () => {
    const facets = await readSessionFacets(database)
    const states = facets.states.reduce((sum, { count }) => sum + count, 0)
    expect(states).toBe(450)
    expect(facets.stores.map(({ count }) => count)).toEqual([300, 150])
    const [agent] = facets.agents
    const { total } = await page({ filter: { ...NOTHING, agent: agent?.value ?? '' } })
    expect(total).toBe(agent?.count)
  })
})

describe('X2: sessions that nothing sets apart', () => {
  it('keep one order', async () => {
    const database = createTestDatabase()
    insertStore(database.connection)
    for (const row of [2, 9, 4]) insertSession(database.connection, { row, id: `s${row}` })
    for (const direction of ['asc', 'desc'] as const) {
      const page = { filter: NOTHING, order: 'cost', direction, offset: 0, limit: 10 } as const
      const { sessions } = await readSessionPage(database, page)
      expect(sessions.map(({ row }) => row)).toEqual([9, 4, 2])
    }
    await database.destroy()
  })
})

describe('X2: sessions by cost', () => {
  it('are in the order of what was recorded and what a list makes of the rest, together', async () => {
    const database = createTestDatabase()
    insertStore(database.connection)
    const costs: [costUsd: number | null, listUsd: number | null][] = [
      [3, null],
      [1, 4],
      [null, 2],
      [null, null],
    ]
    costs.forEach(([costUsd, listUsd], i) => {
      insertSession(database.connection, { row: i + 1, id: `s${i + 1}`, costUsd })
      if (listUsd !== null) insertSessionBill(database.connection, { sessionRow: i + 1, listUsd })
    })
    const page = { filter: NOTHING, order: 'cost', direction: 'desc', offset: 0, limit: 10 } as const
    const { sessions } = await readSessionPage(database, page)
    expect(sessions.map(({ row, listUsd }) => [row, listUsd])).toEqual([
      [2, 4],
      [1, null],
      [3, 2],
      [4, null],
    ])
    await database.destroy()
  })
})

describe('X2: a single session in the list', () => {
  it('keeps what is unknown unknown', async () => {
    const database = createTestDatabase()
    insertStore(database.connection)
    insertSession(database.connection, { row: 1, id: 'a', trendJson: '[1,null,3]', updatedAt: null })
    const { sessions } = await readSessionPage(database, {
      filter: NOTHING,
      order: 'updated',
      direction: 'desc',
      offset: 0,
      limit: 10,
    })
    expect(sessions).toMatchObject([
      {
        id: 'a',
        window: null,
        contextTokens: null,
        contextBasis: 'unknown',
        costUsd: null,
        updatedAt: null,
        trend: [1, null, 3],
      },
    ])
    await database.destroy()
  })
})
