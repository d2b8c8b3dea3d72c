import type { Milliseconds } from '../units/units'
import { LINK_LIFE_MS, SESSION_IDLE_MS, SESSION_LIFE_MS } from './credentials'

/** More browsers are not signed in at once; the one that was silent longest goes. */
const MAX_SESSIONS = 100
/** More sign-in links are not good at once; the oldest goes. */
const MAX_LINKS = 20

type Session = { readonly since: number; seenAt: Milliseconds }

/**
 * The browsers that are signed in and the links that sign one in. Ids and codes are handed over as hashes, so that what is
 * kept here opens nothing. Times are milliseconds since 1970.
 */
export class BrowserSessions {
  readonly #sessions = new Map<string, Session>()
  readonly #links = new Map<string, number>()

  /** Begins a session. */
  open(id: string, now: Milliseconds): void {
    this.#sessions.delete(id)
    this.#sessions.set(id, { since: now, seenAt: now })
    dropBeyond(this.#sessions, MAX_SESSIONS)
  }

  /** Whether a session goes on; to ask is a sign of life. */
  isOpen(id: string, now: Milliseconds): boolean {
    const session = this.#sessions.get(id)
    if (session === undefined) return false
    this.#sessions.delete(id)
    if (now - session.since >= SESSION_LIFE_MS || now - session.seenAt >= SESSION_IDLE_MS) return false
    // Behind all others: who is first was silent longest.
    this.#sessions.set(id, { since: session.since, seenAt: now })
    return true
  }

  /** Ends a session; false when there was none. */
  end(id: string): boolean {
    return this.#sessions.delete(id)
  }

  /** Makes a link good. */
  addLink(code: string, now: Milliseconds): void {
    this.#links.set(code, now)
    dropBeyond(this.#links, MAX_LINKS)
  }

  /** Uses a link up; false when it is not good, or not any more. */
  spendLink(code: string, now: Milliseconds): boolean {
    const madeAt = this.#links.get(code)
    if (madeAt === undefined) return false
    this.#links.delete(code)
    return now - madeAt < LINK_LIFE_MS
  }
}

function dropBeyond(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return
    map.delete(key)
  }
}
