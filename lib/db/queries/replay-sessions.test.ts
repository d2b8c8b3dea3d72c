import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ReplayChoice } from '../../core/replay/experiment-spec'
import { EVERY_SESSION } from '../../core/replay/experiment-spec'
import { chooseSessions } from '../../engine/replay/choose-sessions'
import { insertSession, insertStore } from '../../testing/builders/session-rows'
import { createTestDatabase, type TestDatabase } from '../../testing/database'
import { countPlainReplaySessions, findRepeatedReplaySessions, findReplaySessions } from './replay-sessions'

let database: TestDatabase

beforeEach(() => {
  database = createTestDatabase()
  insertStore(database.connection)
  insertStore(database.connection, { id: 'other', root: '/srv/other' })
  const rows: readonly [id: string, session: string, state: string, values: Record<string, unknown>][] = [
    ['a', 'anchor', 'live', { agent: 'main', updatedAt: 5 }],
    ['b', 'beacon', 'live', { agent: 'berth', updatedAt: 9 }],
    ['c', 'beacon', 'reset', { agent: 'berth', updatedAt: 3 }],
    ['d', 'anchor', 'backup', { agent: 'main', updatedAt: 7 }],
    // Of a session whose transcript is gone, and of one of another store.
    ['e', 'capstan', 'gone', { agent: null, updatedAt: 8 }],
    ['f', 'davit', 'live', { storeId: 'other', agent: 'main', updatedAt: null }],
    ['g', 'davit', 'imported', { storeId: 'other', agent: 'main', updatedAt: 1 }],
    ['h', 'empty', 'live', { calls: 0 }],
  ]
  for (const [index, [id, sessionId, state, values]] of rows.entries())
    insertSession(database.connection, {
      ...{ row: index + 1, id, sessionId, state, path: `/s/${id}`, calls: 4 },
      ...(values as Record<string, string | number | null>),
    })
})

afterEach(() => database.destroy())

const CHOICES: readonly [string, Partial<ReplayChoice>][] = [
  ['every session', {}],
  ['a store', { stores: ['other'] }],
  ['agents', { agents: ['main', 'nowhere'] }],
  ['transcripts', { ids: ['a', 'c', 'd', 'e'] }],
  ['since', { since: 5 }],
  ['all of it', { stores: ['other'], agents: ['main'], ids: ['f', 'g'], since: 0 }],
]

describe('sessions that an experiment takes', () => {
  it.each(CHOICES)('%s: as many are counted as a run takes', (_, change) => {
    const choice = { ...EVERY_SESSION, ...change }
    const examined = chooseSessions(findRepeatedReplaySessions(database), choice)
    const taken = chooseSessions(findReplaySessions(database), choice)
    expect(countPlainReplaySessions(database, choice) + examined.length).toBe(taken.length)
  })

  it('only those with a transcript that repeats another one are read to count them', () => {
    const read = findRepeatedReplaySessions(database).map(({ transcript }) => transcript.id)
    expect(read.sort()).toEqual(['a', 'e', 'f'])
  })
})
