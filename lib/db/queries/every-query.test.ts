import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database'
import { findAuditPage } from './audit-entries'
import { readCompactedSessions, readFactsAndFrames } from './compacted-sessions'
import { findCopies } from './copies'
import { findDaySpan, sumDays } from './day-sums'
import { findDeletableSessions } from './deletable-sessions'
import { failureReasons } from './failure-reasons'
import { readFillRows } from './fill-rows'
import { readFillSessions, readSessionFills } from './fills'
import { countCauses, findCause, findFindingGroups } from './finding-causes'
import { findFindings } from './findings'
import { readFoundEntries } from './found-entries'
import { findHeaviestTools } from './heaviest-tools'
import { findEndedJobs, findJob, findUnfinishedJobs, hasFreshJobs } from './jobs'
import { findJudgedSessions, sessionsStamp } from './judged-sessions'
import { findKnownStores } from './known-stores'
import { findLatestSessions } from './latest-sessions'
import { readChangedSessions, readLiveStamp } from './live-stamp'
import { findLogPlaces } from './log-files'
import { countLogLines, findLoggedSessions, findLogLines } from './log-lines'
import { findReceipts, findSessionReceipts } from './receipts'
import { findRecentDrops, newestDrop } from './recent-drops'
import {
  countCompactions,
  findCompactionsBetween,
  findFailedCalls,
  findRecentCompactions,
  findTranscriptEvents,
  findUnreadableLines,
} from './recent-events'
import {
  countPlainReplaySessions,
  findRepeatedReplaySessions,
  findReplayChoices,
  findReplaySession,
  findReplaySessions,
} from './replay-sessions'
import { findByRuntimeId, readSessionDetail, sessionNeighbours } from './session-detail'
import { entriesBetween, entriesBySeq, findPreviews } from './session-entries'
import { factAt, readEntryFacts, revisionOf } from './session-facts'
import { readCompactions } from './session-marks'
import { findSessionsByName } from './session-names'
import { readSessionFacets, readSessionPage, readSessionRows } from './session-page'
import { countUnknownTypes, findBrokenSessions, findUnreadableEntries } from './store-problems'
import { findStoreReads } from './store-reads'
import { findStoreHealth, findStoreRoots, findStoreSummaries } from './store-summaries'
import { findAgentParent, readAgentTree } from './sub-agents'
import {
  findArchivedSessions,
  findNewestSessions,
  findSessionNames,
  findTranscriptNames,
  findTranscriptsOf,
} from './transcripts-of'
import { findUndoneRecoveries } from './undone-recoveries'

const FOUND = {
  severity: 'medium',
  kind: 'k',
  cause: 'c',
  store: 's',
  session: 'i',
  from: 1,
  which: 'gone',
} as const
const RANGE = { from: 0, to: 9 }
const PAGE = { skip: 0, limit: 9 }
const LINES = { kind: 'drops', session: 's', chunk: 'c', text: 't', since: 1, until: 2 } as const
const FILTER = {
  ...{ store: 's', kind: 'pi', agent: 'a', model: 'm', state: 'live' },
  ...{ rows: [1], fold: true, family: 'f', agents: 'g', tool: 'h' },
}
const LIST = { filter: FILTER, direction: 'asc', offset: 0, limit: 9 } as const
const ORDERS = ['updated', 'name', 'agent', 'channel', 'model', 'calls', 'compactions', 'cost'] as const

/** Each query of this folder, with every condition that it can have; what it answers where nothing was ever imported. */
const QUERIES: { readonly [name: string]: (database: TestDatabase) => unknown } = {
  findAuditPage: (db) => findAuditPage(db, PAGE),
  readCompactedSessions,
  findFindings: (db) => findFindings(db, FOUND, PAGE),
  findFindingGroups: (db) => findFindingGroups(db, FOUND, { ...PAGE, worst: 'high' }),
  countCauses: (db) => countCauses(db, FOUND),
  findCause: (db) => findCause(db, 's', 'f'),
  readFactsAndFrames: (db) => readFactsAndFrames(db, 1),
  findCopies: (db) => findCopies(db, 1),
  findDeletableSessions: (db) => findDeletableSessions(db, ['s']),
  findDaySpan,
  sumDays: (db) => sumDays(db, { from: '2026-01-01', to: '2026-12-31' }),
  readFillRows,
  readFillSessions,
  readSessionFills: (db) => readSessionFills(db, { first: 0, last: 9 }),
  readFoundEntries: (db) => readFoundEntries(db, [{ row: 1, seq: 1 }]),
  findEndedJobs: (db) => findEndedJobs(db, PAGE),
  findJob: (db) => findJob(db, 'j'),
  findUnfinishedJobs,
  hasFreshJobs: (db) => hasFreshJobs(db, 1),
  findJudgedSessions: (db) => findJudgedSessions(db, 's'),
  findKnownStores,
  findHeaviestTools: (db) => findHeaviestTools(db, { from: 1, to: 9, limit: 9 }),
  findLatestSessions: (db) => findLatestSessions(db, 9),
  readChangedSessions: (db) => readChangedSessions(db, { after: 0, limit: 9 }),
  readLiveStamp,
  findLogPlaces: (db) => findLogPlaces(db, 9),
  countLogLines: (db) => countLogLines(db, LINES),
  findLogLines: (db) => findLogLines(db, LINES, PAGE),
  findLoggedSessions: (db) => findLoggedSessions(db, 9),
  countPlainReplaySessions: (db) =>
    countPlainReplaySessions(db, { stores: ['s'], agents: ['a'], ids: ['i'], since: 1 }),
  findRepeatedReplaySessions,
  findReplayChoices,
  findReplaySession: (db) => findReplaySession(db, 's'),
  findReplaySessions,
  findReceipts: (db) => findReceipts(db, ['r']),
  findSessionReceipts: (db) => findSessionReceipts(db, 'compact', 's'),
  findRecentDrops: (db) => findRecentDrops(db, 9),
  newestDrop,
  countCompactions: (db) => countCompactions(db, RANGE),
  findCompactionsBetween: (db) => findCompactionsBetween(db, RANGE),
  findFailedCalls: (db) => findFailedCalls(db, 9),
  findRecentCompactions: (db) => findRecentCompactions(db, 9),
  findTranscriptEvents: (db) => findTranscriptEvents(db, { kind: null, skip: 0, limit: 9 }),
  findUnreadableLines: (db) => findUnreadableLines(db, 9),
  findByRuntimeId: (db) => findByRuntimeId(db, 's'),
  readSessionDetail: (db) => readSessionDetail(db, 's'),
  sessionNeighbours: (db) => [
    sessionNeighbours(db, { row: 1, updatedAt: 1 }),
    sessionNeighbours(db, { row: 1, updatedAt: null }),
  ],
  entriesBetween: (db) => entriesBetween(db, 1, RANGE),
  entriesBySeq: (db) => entriesBySeq(db, 1, [1]),
  failureReasons: ({ connection }) => failureReasons(connection, [{ sessionRow: 1, seq: 1 }]),
  findPreviews: (db) => findPreviews(db, 1, 't', 9),
  factAt: (db) => factAt(db, 1, 1),
  readEntryFacts: (db) => [...readEntryFacts(db, 1)],
  revisionOf: (db) => revisionOf(db, 1),
  readCompactions: (db) => readCompactions(db, 1),
  findSessionsByName: (db) => findSessionsByName(db, { words: ['a', 'b'], limit: 9 }),
  readSessionFacets,
  readSessionPage: (db) => ORDERS.map((order) => readSessionPage(db, { ...LIST, order })),
  readSessionRows: (db) => readSessionRows(db, FILTER),
  findBrokenSessions: (db) => findBrokenSessions(db, 9),
  findUnreadableEntries: (db) => findUnreadableEntries(db, 9, 9),
  countUnknownTypes: (db) => countUnknownTypes(db, 9),
  findStoreHealth,
  findStoreReads: (db) => findStoreReads(db, 1),
  findStoreRoots,
  findStoreSummaries,
  findArchivedSessions,
  findNewestSessions: (db) => findNewestSessions(db, 9),
  sessionsStamp: (db) => sessionsStamp(db, 's'),
  findSessionNames: (db) => findSessionNames(db, ['s']),
  findTranscriptNames: (db) => findTranscriptNames(db, ['s']),
  findTranscriptsOf: (db) => findTranscriptsOf(db, 's', 9),
  findAgentParent: (db) => findAgentParent(db, 1),
  readAgentTree: (db) => readAgentTree(db, 1),
  findUndoneRecoveries: (db) => findUndoneRecoveries(db, 'c'),
}

/** Parts of queries and readers of their rows. */
const PARTS = [
  ...[
    'IS_AGENT',
    'IS_COPY',
    'findingConditions',
    'findingSource',
    'indexEntryOf',
    'isInTreeOf',
    'isOfSession',
  ],
  ...['storedOf', 'summaryOf'],
]

describe('queries on the tables that the migrations make', () => {
  let database: TestDatabase
  beforeAll(() => {
    database = createTestDatabase()
  })
  afterAll(() => database.destroy())

  it('are all here', () => {
    const texts = readdirSync(import.meta.dirname)
      .filter((name) => !name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
    const exported = texts.flatMap((text) =>
      [...text.matchAll(/^export (?:async )?function\*? (\w+)/gm)].map(([, name]) => name),
    )
    expect(exported.filter((name) => !PARTS.includes(name ?? '')).sort()).toEqual(Object.keys(QUERIES).sort())
  })

  // A table or column that is not there is an error of SQLite; one that a reader misses is a RowShapeError, rows or not.
  it.each(Object.entries(QUERIES))('%s finds every table and column that it names', async (_, query) => {
    await query(database)
  })
})
