import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  BUILDER_NOW,
  insertCall,
  insertCompaction,
  insertSession,
  insertSessionDay,
  insertStore,
} from '../../testing/builders/session-rows'
import { createTestDatabase, type TestDatabase } from '../../testing/database'
import { findCopies, REPEATING_ROWS } from './copies'
import { findDaySpan, sumDays } from './day-sums'
import {
  countCompactions,
  findCompactionsBetween,
  findFailedCalls,
  findRecentCompactions,
} from './recent-events'
import { readSessionFacets, readSessionPage, type SessionFilter } from './session-page'

const NOTHING = {
  ...{ store: null, kind: null, agent: null, model: null, state: null },
  ...{ rows: null, fold: true, family: null, agents: null, tool: null },
}

let database: TestDatabase

beforeEach(() => {
  database = createTestDatabase()
  insertStore(database.connection)
  insertStore(database.connection, { id: 'other', root: '/srv/other' })
})

afterEach(() => database.destroy())

function transcript(row: number, state: string, values: Record<string, string | number | null> = {}) {
  insertSession(database.connection, {
    row,
    id: `t${row}`,
    sessionId: 'harbour',
    agent: 'main',
    state,
    ...values,
  })
  insertSessionDay(database.connection, { sessionRow: row, day: '2026-07-01', calls: 1, inputTokens: 100 })
}

async function listed(filter: Partial<SessionFilter> = {}) {
  const page = { order: 'name', direction: 'asc', offset: 0, limit: 50 } as const
  const found = await readSessionPage(database, { ...page, filter: { ...NOTHING, ...filter } })
  expect(found.total).toBe(found.sessions.length)
  return found.sessions.map(({ id, copies }) => `${id}+${copies}`).sort()
}

describe('X2: copies fold under their session in the list', () => {
  it('the live transcript is listed, with the number of its copies', async () => {
    transcript(1, 'live', { updatedAt: 1 })
    transcript(2, 'checkpoint', { updatedAt: 5 })
    transcript(3, 'backup')
    transcript(4, 'gone')
    transcript(5, 'backup', { storeId: 'other' })
    transcript(6, 'backup', { agent: null })
    expect(await listed()).toEqual(['t1+3', 't5+0', 't6+0'])
    expect(await listed({ state: 'checkpoint' })).toEqual([])
    expect(await listed({ state: 'checkpoint', fold: false })).toEqual(['t2+2'])
    expect(await listed({ family: 't3', fold: false })).toEqual(['t1+3', 't2+2', 't3+2', 't4+2'])
  })

  it('the newest copy is listed where its session is not there any more', async () => {
    transcript(1, 'gone', { updatedAt: 9 })
    transcript(2, 'checkpoint', { updatedAt: 5 })
    transcript(3, 'checkpoint', { updatedAt: 7 })
    expect(await listed()).toEqual(['t3+2'])
    expect(findCopies(database, 2)).toEqual({ head: 't3', copies: 2 })
    expect(findCopies(database, 3)).toEqual({ head: null, copies: 2 })
  })

  it('two live transcripts of one id are two sessions', async () => {
    transcript(1, 'live', { updatedAt: 1 })
    transcript(2, 'live', { updatedAt: 2 })
    transcript(3, 'reset', { updatedAt: 3 })
    expect(await listed()).toEqual(['t1+1', 't2+1'])
    expect(findCopies(database, 1)).toEqual({ head: null, copies: 1 })
    expect(findCopies(database, 3)).toEqual({ head: 't2', copies: 1 })
  })

  it('a copy is listed where a search finds it and not its session', async () => {
    transcript(1, 'live')
    transcript(2, 'backup')
    transcript(3, 'backup', { updatedAt: 1 })
    expect(await listed({ rows: [2, 3] })).toEqual(['t2+1'])
    expect(await listed({ rows: [1, 3] })).toEqual(['t1+2'])
  })

  it('filters count sessions by what they are, and copies by their state only', async () => {
    transcript(1, 'live')
    transcript(2, 'backup')
    const facets = await readSessionFacets(database)
    expect(facets.agents).toEqual([{ value: 'main', count: 1 }])
    expect(facets.stores.map(({ count }) => count)).toEqual([1, 0])
    expect(facets.states.map(({ value, count }) => `${value} ${count}`)).toEqual(['backup 1', 'live 1'])
  })
})

describe('X6: the calls of copies count once', () => {
  it('and so do the compactions and failed calls that they repeat', async () => {
    for (const [row, state] of [
      [1, 'live'],
      [2, 'checkpoint'],
      [3, 'backup'],
    ] as const) {
      transcript(row, state)
      insertCompaction(database.connection, { sessionRow: row, seq: 1 })
      insertCall(database.connection, {
        sessionRow: row,
        n: 1,
        total: 900,
        window: 200_000,
        stopReason: 'error',
      })
    }
    const span = { from: BUILDER_NOW - 1, to: BUILDER_NOW + 1 }
    expect(await countCompactions(database, span)).toBe(1)
    expect(await findCompactionsBetween(database, span)).toHaveLength(1)
    expect((await findRecentCompactions(database, 9)).map(({ id }) => id)).toEqual(['t1'])
    expect((await findFailedCalls(database, 9)).map(({ id }) => id)).toEqual(['t1'])
  })

  it('sums leave out copies, and keep what was reset or deleted and has no other copy', async () => {
    transcript(1, 'live')
    transcript(2, 'checkpoint')
    transcript(3, 'backup')
    transcript(4, 'imported')
    transcript(5, 'gone')
    transcript(6, 'reset', { sessionId: 'quay' })
    transcript(7, 'checkpoint', { sessionId: 'alone' })
    const span = await findDaySpan(database)
    const [day] = await sumDays(database, { from: span?.first ?? '', to: span?.last ?? '' })
    expect(day).toMatchObject({ calls: 3, inputTokens: 300 })
  })
})

describe('how the database answers', () => {
  /** How SQLite answers the questions that `ask` puts to the database. */
  function planOf(ask: (asked: Pick<TestDatabase, 'connection'>) => void): string {
    const plan: string[] = []
    const { connection } = database
    const run: typeof connection.run = (sql, args) => {
      for (const row of connection.run(`EXPLAIN QUERY PLAN ${sql}`, args).rows) plan.push(row.join(' '))
      return connection.run(sql, args)
    }
    ask({ connection: Object.assign(Object.create(connection), { run }) })
    return plan.join('\n')
  }

  it('which transcripts repeat others is found without going through all sessions', () => {
    const plan = planOf(({ connection }) => connection.run(REPEATING_ROWS))
    expect(plan).toContain('SEARCH s USING INDEX Session_repeating_idx')
    expect(plan).not.toContain('SCAN s')
  })

  it('sub-agents of a listed session are found by the session that they name', () => {
    const page = { order: 'updated', direction: 'desc', offset: 0, limit: 9 } as const
    const plan = planOf((asked) => readSessionPage(asked, { ...page, filter: NOTHING }))
    expect(plan).toMatch(/SEARCH b USING (COVERING )?INDEX SessionBill_parent_idx/)
    expect(plan).not.toContain('Session_repeating_idx')
  })

  it('what the filters can be set to is counted in one pass over all sessions', () => {
    const plan = planOf(readSessionFacets)
    expect(plan.match(/SCAN s/g)).toHaveLength(1)
  })
})
