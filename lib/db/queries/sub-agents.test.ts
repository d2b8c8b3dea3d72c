import { afterEach, beforeEach, expect, it } from 'vitest'
import { insertSession, insertSessionBill, insertStore } from '../../testing/builders/session-rows'
import { createTestDatabase, type TestDatabase } from '../../testing/database'
import { readSessionFacets, readSessionPage, type SessionFilter } from './session-page'
import { findAgentParent, readAgentTree } from './sub-agents'

const NOTHING: SessionFilter = {
  ...{ store: null, kind: null, agent: null, model: null, state: null },
  ...{ rows: null, fold: true, family: null, agents: null, tool: null },
}

let database: TestDatabase

beforeEach(() => {
  database = createTestDatabase()
  insertStore(database.connection, { kind: 'codex' })
  insertStore(database.connection, { id: 'archived', kind: 'codex', root: '/archived' })
  insertStore(database.connection, { id: 'other', kind: 'pi', root: '/other' })
})

afterEach(() => database.destroy())

function session(row: number, sessionId: string, parent: string | null, values: object = {}) {
  insertSession(database.connection, { row, id: `t${row}`, sessionId, calls: 1, ...values })
  insertSessionBill(database.connection, { sessionRow: row, parent, largest: 100 * row })
}

function listed(filter: Partial<SessionFilter> = {}): string[] {
  const page = { order: 'name', direction: 'asc', offset: 0, limit: 50 } as const
  const { sessions, total } = readSessionPage(database, { ...page, filter: { ...NOTHING, ...filter } })
  expect(total).toBe(sessions.length)
  return sessions.map(({ id, agents }) => `${id}+${agents}`).sort()
}

it('sub-agents fold under the session that they work for, in whichever store of its runtime it is', () => {
  session(1, 'top', null, { storeId: 'archived' })
  session(2, 'sub', 'top')
  session(3, 'below', 'sub')
  session(4, 'orphan', 'missing')
  session(5, 'stranger', 'top', { storeId: 'other' })
  expect(listed()).toEqual(['t1+1', 't4+0', 't5+0'])
  expect(listed({ fold: false, agents: 't1' })).toEqual(['t1+1', 't2+1', 't3+0'])
  expect(listed({ rows: [2, 5] })).toEqual(['t2+1', 't5+0'])
  expect(readSessionFacets(database).kinds).toMatchObject([
    { value: 'codex', count: 2 },
    { value: 'pi', count: 1 },
  ])
  expect(listed({ kind: 'pi' })).toEqual(['t5+0'])
})

it('the tree is in order, and ends where files claim a ring', () => {
  session(1, 'top', 'below')
  session(2, 'sub', 'top', { updatedAt: 9 })
  session(3, 'below', 'sub')
  session(4, 'second', 'top', { updatedAt: 5 })
  const tree = readAgentTree(database, 1).map(({ id, depth, largest }) => [id, depth, largest])
  expect(tree.slice(0, 4)).toEqual([
    ['t1', 0, 100],
    ['t2', 1, 200],
    ['t3', 2, 300],
    ['t4', 1, 400],
  ])
  expect(tree).toHaveLength(4)
  expect(findAgentParent(database, 2)?.id).toBe('t1')
})

it('keys name sessions of their store only', () => {
  session(1, 'top', null, { key: 'agent:main:main' })
  session(2, 'sub', 'agent:main:main')
  session(3, 'far', 'agent:main:main', { storeId: 'archived' })
  expect(listed()).toEqual(['t1+1', 't3+0'])
  expect(findAgentParent(database, 3)).toBeNull()
})
