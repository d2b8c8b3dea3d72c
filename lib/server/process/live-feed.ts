import 'server-only'
import { hasFreshJobs } from '../../db/queries/jobs'
import { type LiveStamp, readChangedSessions, readLiveStamp } from '../../db/queries/live-stamp'
import { LIVE_BEAT_MS, LIVE_EVENTS, type LiveMessage } from '../../view/shell/live'
import { getPoliciesInForce } from '../policy/policies-in-force'
import { getReadingNotices } from '../stores/reading-notices'
import { getDatabase } from './database'

/** How often the database is asked while a page listens, in milliseconds. A change must show within a second. */
const TICK_MS = 250

/**
 * A page that was made while a job ended shows it as running; it has opened its line within this time. Milliseconds.
 */
const FRESH_MS = 15_000

/**
 * How often policy files are examined while a page listens, in ticks: what fills are compared with may be in them.
 */
const POLICY_TICKS = 4
/** The same of how far the reading of stores is. */
const READING_TICKS = 4

/** Beyond this many changed sessions a message only says that everything may be old. */
const SESSIONS_NAMED = 50

type Listener = (event: string, data: string) => void

type Feed = {
  readonly listeners: Set<Listener>
  timer: ReturnType<typeof setInterval> | null
  stamp: LiveStamp | null
  /** Revision of the policies that pages were drawn by; null before the first check. */
  policies: number | null
  /** Other policies are in force, and pages have not heard of it. */
  redraw: boolean
  ticks: number
  beatAt: number
  /** Notices on the reading of stores as they were said last. */
  reading: string
}

// One feed per process, however many copies of this module the bundler makes.
const HOLDER = Symbol.for('plimsoll.live-feed')

function feed(): Feed {
  const holder = globalThis as { [HOLDER]?: Feed }
  holder[HOLDER] ??= {
    listeners: new Set(),
    timer: null,
    stamp: null,
    policies: null,
    redraw: false,
    ticks: 0,
    beatAt: 0,
    reading: '[]',
  }
  return holder[HOLDER]
}

/**
 * Tells `listener` the present revision, and from then on every change, until the answer is called. The database is
 * watched only while there is a listener.
 */
export async function followChanges(listener: Listener): Promise<() => void> {
  const database = await getDatabase()
  const own = feed()
  if (own.listeners.size === 0) {
    own.stamp = readLiveStamp(database)
    own.policies = await policyRevision()
    own.redraw = false
  }
  const revision = own.stamp?.revision ?? 0
  const jobs = hasFreshJobs(database, Date.now() - FRESH_MS)
  const hello: LiveMessage = {
    revision,
    sessions: [],
    all: false,
    stores: false,
    audit: false,
    jobs,
    logs: false,
  }
  listener(LIVE_EVENTS.hello, JSON.stringify(hello))
  own.reading = JSON.stringify(getReadingNotices())
  listener(LIVE_EVENTS.reading, own.reading)
  own.listeners.add(listener)
  own.timer ??= setInterval(() => void tick(own), TICK_MS)
  return () => {
    own.listeners.delete(listener)
    if (own.listeners.size > 0 || own.timer === null) return
    clearInterval(own.timer)
    own.timer = null
  }
}

async function tick(own: Feed): Promise<void> {
  const message = await readChange(own)
  const now = Date.now()
  if (own.ticks % READING_TICKS === 0) sayReading(own)
  if (message) {
    own.beatAt = now
    tell(own, LIVE_EVENTS.change, JSON.stringify(message))
  } else if (now - own.beatAt >= LIVE_BEAT_MS) {
    own.beatAt = now
    tell(own, LIVE_EVENTS.beat, '')
  }
}

function sayReading(own: Feed): void {
  const reading = JSON.stringify(getReadingNotices())
  if (reading === own.reading) return
  own.reading = reading
  tell(own, LIVE_EVENTS.reading, reading)
}

/**
 * What changed since the last check; null when nothing did, or when the database is busy: the next check will see it.
 */
async function readChange(own: Feed): Promise<LiveMessage | null> {
  try {
    const database = await getDatabase()
    if (await havePoliciesChanged(own)) own.redraw = true
    const { stamp: before, redraw: redrawn } = own
    const now = readLiveStamp(database)
    const same =
      !redrawn &&
      before?.revision === now.revision &&
      before.stores === now.stores &&
      before.audit === now.audit &&
      before.jobs === now.jobs &&
      before.logs === now.logs
    if (!before || same) {
      own.stamp = now
      return null
    }
    const sessions = readChangedSessions(database, { after: before.revision, limit: SESSIONS_NAMED + 1 })
    // Not before all of it was read: what fails now is seen by the next check.
    own.stamp = now
    own.redraw = false
    const all = redrawn || sessions.length > SESSIONS_NAMED || now.revision < before.revision
    return {
      revision: now.revision,
      sessions: all ? [] : sessions,
      all,
      stores: redrawn || before.stores !== now.stores,
      audit: before.audit !== now.audit,
      jobs: before.jobs !== now.jobs,
      logs: before.logs !== now.logs,
    }
  } catch {
    return null
  }
}

/** Whether a settings file was changed, so that fills and lines are others, though no session is. */
async function havePoliciesChanged(own: Feed): Promise<boolean> {
  own.ticks += 1
  if (own.ticks % POLICY_TICKS !== 0) return false
  const before = own.policies
  own.policies = await policyRevision()
  return before !== null && own.policies !== null && before !== own.policies
}

/** null while the settings cannot be read at all. */
async function policyRevision(): Promise<number | null> {
  try {
    return (await getPoliciesInForce()).revision
  } catch {
    return null
  }
}

function tell(own: Feed, event: string, data: string): void {
  for (const listener of own.listeners) {
    try {
      listener(event, data)
    } catch {
      // Its line has broken off; the others hear it all the same.
      own.listeners.delete(listener)
    }
  }
}
