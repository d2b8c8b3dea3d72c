import type { PolicySubject } from '../policy/effective'
import { type RuntimePolicy, type RuntimeStore, runtimePolicy } from '../policy/runtime/runtime-policy'
import type { Milliseconds, Tokens } from '../units/units'
import { type ReadWindow, type SessionLoad, sessionLoad } from './session-load'
import type { BelievedWindow, Window, WindowSource } from './window'

/** What is known of a session where its policy is searched for. Tokens; milliseconds. */
export type LoadSubject = {
  readonly storeId: string
  readonly storeRoot: string
  readonly sessionId: string
  readonly key: string | null
  readonly agent: string | null
  readonly channel: string | null
  readonly provider: string | null
  readonly model: string | null
  readonly window: Tokens | null
  readonly windowSource: string | null
  /** The window that its runtime reckons with, and where that is from; null: the same. */
  readonly believedWindow: Tokens | null
  readonly believedSource: string | null
  /** When it was used last. */
  readonly updatedAt: Milliseconds | null
}

/** A window as a `LoadSubject` has it. */
export function windowFacts({
  tokens,
  source,
  believed,
}: Window): Pick<LoadSubject, 'window' | 'windowSource' | 'believedWindow' | 'believedSource'> {
  const [believedWindow, believedSource] = [believed?.tokens ?? null, believed?.source ?? null]
  return { window: tokens, windowSource: source, believedWindow, believedSource }
}

/** The window that a `LoadSubject` has; null: it is not known. */
export function readWindow({
  window,
  windowSource,
  believedWindow,
  believedSource,
}: Pick<LoadSubject, 'window' | 'windowSource' | 'believedWindow' | 'believedSource'>): ReadWindow | null {
  if (window === null) return null
  const read = { tokens: window, source: (windowSource ?? 'default') as WindowSource }
  if (believedWindow === null) return read
  const source = (believedSource ?? 'default') as BelievedWindow['source']
  return { ...read, believed: { tokens: believedWindow, source } }
}

/** The session as overrides name it. */
export function overrideSubject(
  session: Pick<LoadSubject, 'storeId' | 'storeRoot' | 'sessionId' | 'key' | 'agent' | 'channel' | 'model'>,
): PolicySubject {
  const { storeId, storeRoot, sessionId, key, agent, channel, model } = session
  const names = key === null ? [sessionId] : [sessionId, key]
  return { store: [storeId, storeRoot], agent, channel, model, session: names }
}

/**
 * What the fills of many sessions are measured against, each under what its own runtime does. 10,000 sessions take some
 * milliseconds: equal ones share their answer.
 */
export class SessionLoads {
  private readonly stores = new Map<string, RuntimeStore>()
  private readonly policies = new Map<string, RuntimePolicy>()
  private readonly loads = new Map<RuntimePolicy, Map<string, SessionLoad | null>>()

  /** @param runtimeOf what is known of the runtime of a store */
  constructor(private readonly runtimeOf: (store: { id: string; root: string }) => RuntimeStore) {}

  /** What the runtime of a session does; the same object for sessions of a store that nothing tells apart. */
  policyOf(session: LoadSubject): RuntimePolicy {
    const { storeId, storeRoot, provider, updatedAt } = session
    let store = this.stores.get(storeId)
    if (store === undefined) {
      store = this.runtimeOf({ id: storeId, root: storeRoot })
      this.stores.set(storeId, store)
    }
    const who = { ...overrideSubject(session), provider, at: updatedAt }
    // Only the library's policy has overrides that are about single sessions.
    if (store.owner === 'library') return runtimePolicy(store, who)
    // What settings say for one model, and the room for an answer, are by model.
    const isScoped =
      store.owner === 'claude-code' || store.files.some(({ file }) => file.providerParams !== undefined)
    const scope = isScoped ? JSON.stringify([session.agent, session.model]) : ''
    const key = `${storeId} ${provider} ${updatedAt === null ? '' : monthKey(updatedAt)} ${scope}`
    const known = this.policies.get(key)
    if (known !== undefined) return known
    const found = runtimePolicy(store, who)
    this.policies.set(key, found)
    return found
  }

  /** @returns null when the session's window is not known */
  of(session: LoadSubject): SessionLoad | null {
    const { model, window, windowSource, believedWindow, believedSource } = session
    const runtime = this.policyOf(session)
    const known = this.loads.get(runtime) ?? new Map<string, SessionLoad | null>()
    this.loads.set(runtime, known)
    const key = `${window} ${windowSource} ${believedWindow} ${believedSource} ${model}`
    const before = known.get(key)
    if (before !== undefined) return before
    const load = sessionLoad(runtime, model, readWindow(session))
    known.set(key, load)
    return load
  }
}

/** Rules are chosen by the month of use, so sessions of one month share theirs. */
function monthKey(at: number): string {
  const date = new Date(at)
  return `${date.getUTCFullYear()}-${date.getUTCMonth()}`
}
