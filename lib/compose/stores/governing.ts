import { type LoadSubject, overrideSubject, SessionLoads } from '../../core/budget/session-loads'
import { EffectivePolicies } from '../../core/policy/effective-policies'
import type { ResolvedPolicy } from '../../core/policy/resolve'
import type { RuntimeStore } from '../../core/policy/runtime/runtime-policy'
import type { FoundStore } from '../../engine/read/ports'
import { type LabelledDocument, policySources } from '../policy/policy-sources'
import type { Setup } from '../setup'
import { runtimeStoreOf } from './runtime-stores'

/** What governs the sessions of stores, by their files and ours. */
export type Governing = {
  /** What each session is measured against: what its runtime really does. */
  readonly loads: SessionLoads
  /** What is known of the runtime of a store, by its id. */
  readonly runtimeOf: (storeId: string) => RuntimeStore
  /** The operator's draft for a session: our own file, and what its runtime's files say, above the defaults. */
  readonly draftOf: (session: LoadSubject) => ResolvedPolicy
}

/** A session whose store is gone between list and page. */
const UNKNOWN_RUNTIME: RuntimeStore = { owner: 'openclaw', era: 'jsonl', version: null, files: [], own: null }

/** Which policy governs each session of these stores, and which draft is meant for it. */
export async function governingOf(
  setup: Pick<Setup, 'settings'>,
  documents: readonly LabelledDocument[],
  stores: readonly FoundStore[],
): Promise<Governing> {
  const runtimes = new Map<string, RuntimeStore>()
  const drafts = new Map<string, EffectivePolicies>()
  for (const store of stores) {
    runtimes.set(store.id, await runtimeStoreOf(documents, store, setup.settings))
    drafts.set(store.id, new EffectivePolicies(policySources(documents, store)))
  }
  const runtimeOf = (storeId: string) => runtimes.get(storeId) ?? UNKNOWN_RUNTIME
  const ofNoStore = new EffectivePolicies(policySources(documents, null))
  return {
    loads: new SessionLoads(({ id }) => runtimeOf(id)),
    runtimeOf,
    draftOf: (session) => (drafts.get(session.storeId) ?? ofNoStore).of(overrideSubject(session)),
  }
}
