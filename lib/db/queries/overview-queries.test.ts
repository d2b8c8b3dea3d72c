import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CATEGORIES } from '../../core/tokens/category'
import {
  BUILDER_NOW,
  insertCall,
  insertCompaction,
  insertOddEntry,
  insertSession,
  insertSessionDay,
  insertStore,
} from '../../testing/builders/session-rows'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { createTestDatabase, type TestDatabase } from '../../testing/database'
import { packFacts } from '../pack-facts'
import { findDaySpan, sumDays } from './day-sums'
import { failureReasons } from './failure-reasons'
import { findLatestSessions } from './latest-sessions'
import { readChangedSessions, readLiveStamp } from './live-stamp'
import {
  countCompactions,
  findFailedCalls,
  findRecentCompactions,
  findUnreadableLines,
} from './recent-events'
import { findSessionsByName } from './session-names'
import { countUnknownTypes, findBrokenSessions, findUnreadableEntries } from './store-problems'
import { findStoreSummaries } from './store-summaries'

const DAY = 86_400_000

let database: TestDatabase
beforeEach(() => {
  database = createTestDatabase()
  insertStore(database.connection)
})
afterEach(() => database.destroy())

const session = (row: number, values: Record<string, string | number | null> = {}) =>
  insertSession(database.connection, { row, id: `s${row}`, calls: 5, revision: row, ...values })

describe('the latest sessions', () => {
  it('are live ones that have made a call', async () => {
    session(1)
    session(4, { state: 'reset' })
    session(5, { updatedAt: BUILDER_NOW - 30 * DAY })
    session(6, { calls: 0 })
    const latest = await findLatestSessions(database, 10)
    expect(latest.map(({ id }) => id)).toEqual(['s1', 's5'])
  })
})

describe('X6: usage by day and model', () => {
  it('adds up sessions, and keeps a cost that is unknown unknown', async () => {
    session(1)
    session(2)
    const categories = { 'system-prompt': 10, 'tool-result': 5 }
    insertSessionDay(
      database.connection,
      { sessionRow: 1, day: '2026-07-01', inputTokens: 100, costUsd: 0.5 },
      categories,
    )
    insertSessionDay(
      database.connection,
      { sessionRow: 2, day: '2026-07-01', inputTokens: 50, costUnknownCalls: 1 },
      categories,
    )
    insertSessionDay(database.connection, { sessionRow: 2, day: '2026-07-02', costUnknownCalls: 1 })
    insertSessionDay(database.connection, { sessionRow: 2, day: '2026-06-01' })
    const days = await sumDays(database, { from: '2026-07-01', to: '2026-07-31' })
    expect(days).toHaveLength(2)
    expect(days[0]).toMatchObject({ day: '2026-07-01', inputTokens: 150, costUsd: 0.5, costUnknownCalls: 1 })
    expect(days[0]?.categories[CATEGORIES.indexOf('tool-result')]).toBe(10)
    expect(days[1]).toMatchObject({ costUsd: null, costUnknownCalls: 1 })
    expect(await findDaySpan(database)).toEqual({ first: '2026-06-01', last: '2026-07-02' })
  })

  it('has no span without a call', async () => {
    expect(await findDaySpan(database)).toBeNull()
  })
})

describe('what happened', () => {
  it('lists compactions with the prompts around them, newest first', async () => {
    session(1)
    insertCall(database.connection, { sessionRow: 1, n: 3, total: 180_000 })
    insertCall(database.connection, { sessionRow: 1, n: 4, total: 42_000 })
    insertCompaction(database.connection, { sessionRow: 1, seq: 9, afterCall: 3, at: BUILDER_NOW - 5 })
    insertCompaction(database.connection, { sessionRow: 1, seq: 20, afterCall: 5, at: BUILDER_NOW })
    insertCompaction(database.connection, { sessionRow: 1, seq: 22, kind: 'reset', at: BUILDER_NOW - 9 })
    const events = await findRecentCompactions(database, 10)
    expect(events.map(({ at }) => at)).toEqual([BUILDER_NOW, BUILDER_NOW - 5, BUILDER_NOW - 9])
    expect(events[1]).toMatchObject({ promptBefore: 180_000, promptAfter: 42_000, tokensBefore: null })
    expect(events[0]).toMatchObject({ promptBefore: null, promptAfter: null })
    expect(await countCompactions(database, { from: BUILDER_NOW - 5, to: BUILDER_NOW })).toBe(1)
  })

  it('finds failed calls and unreadable lines', async () => {
    session(1, { unreadable: 2 })
    insertCall(database.connection, { sessionRow: 1, n: 4, stopReason: 'error' })
    insertCall(database.connection, { sessionRow: 1, n: 5, stopReason: 'stop' })
    expect(await findFailedCalls(database, 10)).toMatchObject([{ id: 's1', call: 4, at: BUILDER_NOW }])
    expect(await findUnreadableLines(database, 10)).toMatchObject([{ id: 's1', unreadable: 2 }])
  })

  it('says why a call failed where its transcript does', () => {
    session(1)
    const facts = new TranscriptBuilder({ id: 's1' })
    facts.user('Go.')
    facts.assistant('', { stop: 'error', fields: { errorMessage: '529 overloaded' } })
    const all = facts.facts()
    database.connection.run(
      `INSERT INTO "EntryBlock" ("sessionRow", "firstSeq", "count", "callsBefore", "factsJson") VALUES (1, 0, ?, 0, ?)`,
      [all.length, packFacts(all)],
    )
    const last = all.at(-1)?.seq ?? 0
    const asked = [last, 0, null].map((seq) => ({ sessionRow: 1, seq }))
    expect(failureReasons(database.connection, asked)).toEqual(['529 overloaded', null, null])
  })
})

describe('X1: what could not be read', () => {
  it('names unreadable lines, unknown types and broken transcripts', async () => {
    session(1, { unreadable: 1, unknownTypes: 3 })
    session(2, { problem: 'EACCES: permission denied', state: 'gone' })
    insertOddEntry(database.connection, {
      sessionRow: 1,
      seq: 7,
      line: 8,
      type: 'unreadable',
      problem: 'not JSON',
    })
    for (const [seq, type] of [
      [1, 'x'],
      [2, 'y'],
      [3, 'x'],
    ] as const) {
      insertOddEntry(database.connection, { sessionRow: 1, seq, type: 'unknown', rawType: type })
    }
    expect(await findUnreadableEntries(database, 10, 10)).toMatchObject([
      { id: 's1', seq: 7, line: 8, problem: 'not JSON' },
    ])
    expect(countUnknownTypes(database, 10)).toMatchObject([
      { type: 'x', count: 2, sample: { id: 's1', seq: 1 } },
      { type: 'y', count: 1 },
    ])
    expect(await findBrokenSessions(database, 10)).toMatchObject([{ id: 's2' }])
    expect(await findStoreSummaries(database)).toMatchObject([
      { sessions: 2, gone: 1, unreadable: 1, unknownTypes: 3, lastReadAt: BUILDER_NOW },
    ])
  })

  it('lists the first unreadable lines of each transcript, so that none hides another', async () => {
    session(1, { unreadable: 900 })
    session(2, { unreadable: 1, updatedAt: BUILDER_NOW - DAY })
    for (let seq = 0; seq < 900; seq++) insertOddEntry(database.connection, { sessionRow: 1, seq })
    insertOddEntry(database.connection, { sessionRow: 2, seq: 4 })
    const found = await findUnreadableEntries(database, 10, 3)
    expect(found.map(({ id, seq, inTranscript }) => [id, seq, inTranscript])).toEqual([
      ['s1', 0, 900],
      ['s1', 1, 900],
      ['s1', 2, 900],
      ['s2', 4, 1],
    ])
  })

  it('lists transcripts without a header, and those in which nothing can be read, with what to do', async () => {
    session(1, { version: 0, entries: 7 })
    session(2, { version: 0, entries: 7, unreadable: 7 })
    session(3, { version: 0, entries: 0 })
    session(4, { entries: 7 })
    const found = await findBrokenSessions(database, 10)
    expect(found.map(({ id, problem }) => [id, problem.split(':')[0]])).toEqual(
      expect.arrayContaining([
        ['s1', 'No session header'],
        ['s2', 'All 7 lines are unreadable'],
      ]),
    )
    expect(found).toHaveLength(2)
  })

  it('lists a store without sessions', async () => {
    expect(await findStoreSummaries(database)).toMatchObject([{ sessions: 0, unreadable: 0, bytes: 0 }])
  })
})

describe('X15: what pages compare', () => {
  it('moves with every change of a session and of a store', () => {
    const before = readLiveStamp(database)
    session(4, { revision: 40 })
    session(5, { revision: 41 })
    const after = readLiveStamp(database)
    expect(after.revision).toBe(41)
    expect(after.stores).toBe(before.stores)
    expect(readChangedSessions(database, { after: 40, limit: 9 })).toEqual(['s5'])
    database.connection.run(`UPDATE "Store" SET "state" = 'locked'`)
    expect(readLiveStamp(database).stores).not.toBe(after.stores)
  })
})

describe('X2: names', () => {
  it('finds every word in name, key or folder, and takes wildcards as they are', async () => {
    session(1, { name: 'Report for 100 % of the harbour', agent: 'main' })
    session(2, { name: 'Report for the lock', cwd: '/home/op/harbour' })
    session(3, { name: 'Mail' })
    const find = (...words: string[]) => findSessionsByName(database, { words, limit: 9 })
    expect((await find('report', 'HARBOUR')).toSorted()).toEqual([1, 2])
    expect(await find('%', '100')).toEqual([1])
    expect(await find('r_port')).toEqual([])
    expect(await find()).toEqual([])
  })
})
