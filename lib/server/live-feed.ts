import 'server-only'
import { hasFreshJobs } from '../db/queries/jobs'
import { type LiveStamp, readChangedSessions, readLiveStamp } from '../db/queries/live-stamp'
import { LIVE_BEAT_MS, LIVE_EVENTS, type LiveMessage } from '../view/live'
import { getDatabase } from './database'

/** How often the database is asked while a page listens, in milliseconds. A change must show within a second. */
const TICK_MS = 250

/** A page that was made while a job ended shows it as running; it has opened its line within this time. Milliseconds. */
const FRESH_MS = 15_000

/** Beyond this many changed sessions a message only says that everything may be old. */
const SESSIONS_NAMED = 50

type Listener = (event: string, data: string) => void

type Feed = {
  readonly listeners: Set<Listener>
  timer: ReturnType<typeof setInterval> | null
  stamp: LiveStamp | null
  beatAt: number
}

// One feed per process, however many copies of this module the bundler makes.
const HOLDER = Symbol.for('plimsoll.live-feed')

function feed(): Feed {
  const holder = globalThis as { [HOLDER]?: Feed }
  holder[HOLDER] ??= { listeners: new Set(), timer: null, stamp: null, beatAt: 0 }
  return holder[HOLDER]
}

/**
 * Tells `listener` the present revision, and from then on every change, until the answer is called. The database is
 * watched only while somebody listens.
 */
export async function followChanges(listener: Listener): Promise<() => void> {
  const database = await getDatabase()
  const own = feed()
  if (own.listeners.size === 0) own.stamp = readLiveStamp(database)
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
  if (message) {
    own.beatAt = now
    tell(own, LIVE_EVENTS.change, JSON.stringify(message))
  } else if (now - own.beatAt >= LIVE_BEAT_MS) {
    own.beatAt = now
    tell(own, LIVE_EVENTS.beat, '')
  }
}

/** What changed since the last look; null when nothing did, or when the database is busy: the next look will see it. */
async function readChange(own: Feed): Promise<LiveMessage | null> {
  try {
    const database = await getDatabase()
    const before = own.stamp
    const now = readLiveStamp(database)
    own.stamp = now
    const same =
      before?.revision === now.revision &&
      before.stores === now.stores &&
      before.audit === now.audit &&
      before.jobs === now.jobs &&
      before.logs === now.logs
    if (!before || same) return null
    const sessions = readChangedSessions(database, { after: before.revision, limit: SESSIONS_NAMED + 1 })
    const all = sessions.length > SESSIONS_NAMED || now.revision < before.revision
    return {
      revision: now.revision,
      sessions: all ? [] : sessions,
      all,
      stores: before.stores !== now.stores,
      audit: before.audit !== now.audit,
      jobs: before.jobs !== now.jobs,
      logs: before.logs !== now.logs,
    }
  } catch {
    return null
  }
}

function tell(own: Feed, event: string, data: string): void {
  for (const listener of own.listeners) listener(event, data)
}
