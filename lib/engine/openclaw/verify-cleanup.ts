import { archivedInAll, type Cleanup, removedInAll } from '../../core/maintenance/cleanup'
import type { DatabaseCensus } from './database-census'

/** What a cleanup did, by two checks at the database. */
export type CleanupEffect = {
  /** Keys that left the index. */
  readonly removed: readonly string[]
  /** Their transcripts, and how many of those are in archives now. */
  readonly transcripts: number
  readonly keptInArchives: number
  /** Archives that the database does not hold any more: their retention is over, which OpenClaw does not count. */
  readonly archivesGone: number
  /** Keys that were put aside. */
  readonly archived: readonly string[]
  /** Keys that came meanwhile, and transcripts that grew: a gateway goes on working. */
  readonly added: number
  readonly grown: number
  /** Whether anything at all is another than before, growth aside. */
  readonly changed: boolean
  /** What was not announced, or was announced and did not happen. Sentences; none: the database bears it out. */
  readonly problems: readonly string[]
}

/** Names that are listed in a sentence; the rest is counted. */
const NAMED = 5

/**
 * Compares what was announced with what the database holds: as many sessions left and were put aside, and nothing else
 * is another than before. Growth is no change: a running agent adds rows.
 */
export function verifyCleanup(
  announced: Cleanup,
  before: DatabaseCensus,
  after: DatabaseCensus,
): CleanupEffect {
  const removed = [...before.keys.keys()].filter((key) => !after.keys.has(key))
  const archived = [...before.keys].flatMap(([key, { archivedAt }]) =>
    archivedAt === null && (after.keys.get(key)?.archivedAt ?? null) !== null ? [key] : [],
  )
  const gone = new Set<string | null>(removed)
  // All sessions that a key has named go with it.
  const leaving = [...before.transcripts].flatMap(([sessionId, { key }]) =>
    gone.has(key) ? [sessionId] : [],
  )
  const moved = [...before.keys].flatMap(([key, { sessionId }]) => {
    const now = after.keys.get(key)
    return now !== undefined && now.sessionId !== sessionId ? [key] : []
  })
  const returned = [...before.keys].flatMap(([key, { archivedAt }]) =>
    archivedAt !== null && after.keys.get(key)?.archivedAt === null ? [key] : [],
  )
  const rewritten: string[] = []
  const lost: string[] = []
  let grown = 0
  for (const [sessionId, counted] of before.transcripts) {
    const now = after.transcripts.get(sessionId)
    if (now === undefined) {
      if (!gone.has(counted.key)) lost.push(sessionId)
    } else if (now.earlierHash !== counted.hash) rewritten.push(sessionId)
    else if (now.rows > counted.rows) grown++
  }
  const kept = new Set(after.archives.values())
  // What goes for the disk budget is history, whose transcripts become archives.
  const forBudget = (announced.disk?.entries ?? 0) + (announced.disk?.files ?? 0) > 0
  const dropped = forBudget ? lost.filter((sessionId) => !kept.has(sessionId)) : lost
  const problems = [
    ...mismatch('leave the index', removedInAll(announced), removed),
    ...mismatch('be put aside', archivedInAll(announced), archived),
    ...unannounced('is another transcript than before', rewritten),
    ...unannounced('has lost its transcript', dropped),
    ...unannounced('now names another session', moved),
    ...unannounced('was put aside and is not any more', returned),
  ]
  return {
    removed,
    transcripts: leaving.length,
    keptInArchives: leaving.filter((sessionId) => kept.has(sessionId)).length,
    archivesGone: [...before.archives.keys()].filter((name) => !after.archives.has(name)).length,
    archived,
    added: [...after.keys.keys()].filter((key) => !before.keys.has(key)).length,
    grown,
    changed: removed.length + archived.length + rewritten.length + lost.length + moved.length > 0,
    problems,
  }
}

function mismatch(what: string, announced: number, happened: readonly string[]): string[] {
  if (announced === happened.length) return []
  const named = happened.length === 0 ? '' : ` (${named5(happened)})`
  return [`${announced} sessions were to ${what}, and ${happened.length} did${named}.`]
}

function unannounced(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`It was not announced that ${named5(names)} ${what}.`]
}

function named5(names: readonly string[]): string {
  const more = names.length - NAMED
  return `${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
