/** What the live line carries from server to page. */
export type LiveMessage = {
  /** Revision of the database; grows with every change of a session. */
  readonly revision: number
  /** Sessions that changed since the message before. */
  readonly sessions: readonly string[]
  /** More changed than are listed: everything on the page may be old. */
  readonly all: boolean
  /** The state of a store changed. */
  readonly stores: boolean
  /** A write to a store was made, recovered or taken back. */
  readonly audit: boolean
  /** A job began, got on or ended. */
  readonly jobs: boolean
  /** A log grew, or came or went. */
  readonly logs: boolean
}

/** Server-sent event names. `hello` comes first, names the revision and whether
 * jobs are under way or have just ended; `reading` has what there is to say about the reading of stores, whenever that is
 * another thing; `beat` only says that the line is alive. */
export const LIVE_EVENTS = { hello: 'hello', change: 'change', reading: 'reading', beat: 'beat' } as const

/** Time between two beats when nothing changes, in milliseconds. */
export const LIVE_BEAT_MS = 5_000

/** A message of the line, or null when it is not one. */
export function parseLiveMessage(text: string): LiveMessage | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  const { revision, sessions, all, stores, audit, jobs, logs } = value as Record<string, unknown>
  if (typeof revision !== 'number' || !Array.isArray(sessions)) return null
  const ids = sessions.filter((id): id is string => typeof id === 'string')
  return {
    revision,
    sessions: ids,
    all: all === true,
    stores: stores === true,
    audit: audit === true,
    jobs: jobs === true,
    logs: logs === true,
  }
}

/** Two messages as one. */
export function mergeLiveMessages(one: LiveMessage | null, two: LiveMessage): LiveMessage {
  if (!one) return two
  return {
    revision: Math.max(one.revision, two.revision),
    sessions: [...new Set([...one.sessions, ...two.sessions])],
    all: one.all || two.all,
    stores: one.stores || two.stores,
    audit: one.audit || two.audit,
    jobs: one.jobs || two.jobs,
    logs: one.logs || two.logs,
  }
}

/**
 * Whether a query shows something that the message says has changed. Keys `['session', id, …]` show one session,
 * `['stores', …]` stores and sessions, `['overview', …]` these and logs, `['audit', …]` writes, `['jobs', …]` jobs and
 * the receipts that they wrote under, `['lab', 'page', …]` sessions and the jobs that replay them, `['findings', …]`
 * sessions, stores and writes, `['activity', …]` logs, `['cold', …]` cold storage, whose changes are in logs and writes,
 * all others sessions.
 */
export function isTouched(queryKey: readonly unknown[], message: LiveMessage): boolean {
  const [kind, id] = queryKey
  const sessionsTouched = message.all || message.sessions.length > 0
  // What was found in its store is among the findings of a session.
  if (kind === 'session')
    return (
      message.all || message.sessions.includes(String(id)) || (queryKey[2] === 'findings' && message.stores)
    )
  if (kind === 'audit') return message.audit || message.all
  if (kind === 'jobs') return message.jobs || message.audit || message.all
  if (kind === 'lab' && id === 'page') return sessionsTouched || message.jobs
  if (kind === 'activity') return message.logs || message.all
  if (kind === 'cold') return message.logs || message.audit || message.all
  if (kind === 'findings') return sessionsTouched || message.stores || message.audit
  if (kind === 'overview') return sessionsTouched || message.stores || message.logs
  if (kind === 'stores') return sessionsTouched || message.stores
  return sessionsTouched
}
