import type { PolicySources, PolicySubject } from '../policy/effective'
import { EffectivePolicies } from '../policy/effective-policies'
import type { ResolvedPolicy } from '../policy/resolve'
import { type SessionLoad, sessionLoad } from './session-load'
import type { WindowSource } from './window'

/** What is known of a session where its policy is looked for. Tokens. */
export type LoadSubject = {
  readonly storeId: string
  readonly storeRoot: string
  readonly sessionId: string
  readonly key: string | null
  readonly agent: string | null
  readonly channel: string | null
  readonly model: string | null
  readonly window: number | null
  readonly windowSource: string | null
}

/** The session as overrides name it. */
export function subjectOf(session: Omit<LoadSubject, 'window' | 'windowSource'>): PolicySubject {
  const { storeId, storeRoot, sessionId, key, agent, channel, model } = session
  const names = key === null ? [sessionId] : [sessionId, key]
  return { store: [storeId, storeRoot], agent, channel, model, session: names }
}

/**
 * What the fills of many sessions are measured against, each under its own policy. 10,000 sessions take some
 * milliseconds: equal ones share their answer.
 */
export class SessionLoads {
  private readonly stores = new Map<string, EffectivePolicies>()
  private readonly loads = new Map<ResolvedPolicy, Map<string, SessionLoad | null>>()

  /** @param sourcesOf the files that speak for the sessions of a store, by its root */
  constructor(private readonly sourcesOf: (storeRoot: string) => PolicySources) {}

  policyOf(session: LoadSubject): ResolvedPolicy {
    let policies = this.stores.get(session.storeRoot)
    if (policies === undefined) {
      policies = new EffectivePolicies(this.sourcesOf(session.storeRoot))
      this.stores.set(session.storeRoot, policies)
    }
    return policies.of(subjectOf(session))
  }

  /** @returns null when the session's window is not known */
  of(session: LoadSubject): SessionLoad | null {
    const { model, window, windowSource } = session
    const resolved = this.policyOf(session)
    const known = this.loads.get(resolved) ?? new Map<string, SessionLoad | null>()
    this.loads.set(resolved, known)
    const key = `${window} ${windowSource} ${model}`
    const before = known.get(key)
    if (before !== undefined) return before
    const read =
      window === null ? null : { tokens: window, source: (windowSource ?? 'default') as WindowSource }
    const load = sessionLoad(resolved, model, read)
    known.set(key, load)
    return load
  }
}
