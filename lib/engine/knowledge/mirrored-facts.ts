import { reasonOf } from '../../core/words/reason-of'
import type { FactMirror, FactQuery, FactStore } from './fact-store'

/** After a failure the other store is left alone for so long. Milliseconds. */
const REST_MS = 30_000

/** What a mirror of facts asks and tells: the time, and whom it says that the other store is down. */
export type MirrorOptions = {
  readonly now: () => number
  /** Said once when the store goes down, and once when it is back. */
  readonly onNotice: (message: string) => void
}

/**
 * A store of facts elsewhere, with one of ours beside it: every change is kept here first, so that nothing is lost
 * while the other one is down. Then ours answers, it is said, and what was missed is passed on as soon as it is back.
 *
 * @example
 * ```ts
 * import { mirroredFacts, surrealFacts, surrealServer, transientFacts, type SurrealServer } from 'plimsoll-agent'
 *
 * declare const server: SurrealServer
 * const remote = surrealFacts(surrealServer(server))
 * const facts = mirroredFacts(remote, transientFacts(), { now: Date.now, onNotice: console.warn })
 * ```
 */
export function mirroredFacts(remote: FactStore, mirror: FactMirror, options: MirrorOptions): FactStore {
  const { now, onNotice } = options
  let restsUntil = 0
  let isDown = false

  /** Does something with the other store; null when it is down. */
  async function attempt<T>(work: () => Promise<T>): Promise<T | null> {
    if (now() < restsUntil) return null
    try {
      const done = await catchUp().then(work)
      if (isDown) onNotice(`${remote.name} answers again; what it had missed was passed on.`)
      isDown = false
      restsUntil = 0
      return done
    } catch (error) {
      const why = reasonOf(error)
      if (!isDown)
        onNotice(
          `${remote.name} cannot be used, ${mirror.name} is used instead and keeps what changes: ${why}`,
        )
      isDown = true
      restsUntil = now() + REST_MS
      return null
    }
  }

  async function catchUp(): Promise<void> {
    const { put, removed, upto } = await mirror.pending()
    if (put.length === 0 && removed.length === 0) return
    if (put.length > 0) await remote.put(put)
    if (removed.length > 0) await remote.remove(removed)
    await mirror.settle(upto)
  }

  return {
    name: remote.name,
    find: async (query: FactQuery) => {
      const found = await attempt(() => remote.find(query))
      if (found === null) return mirror.find(query)
      await mirror.adopt(found)
      return found
    },
    put: async (facts) => {
      await mirror.put(facts)
      await attempt(async () => undefined)
    },
    remove: async (ids) => {
      await mirror.remove(ids)
      await attempt(async () => undefined)
    },
  }
}
