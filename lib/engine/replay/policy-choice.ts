import { NO_SUBJECT } from '../../core/policy/effective'
import type { Policy } from '../../core/policy/policy'
import {
  type RuntimeSession,
  type RuntimeStore,
  runtimePolicy,
} from '../../core/policy/runtime/runtime-policy'
import type { PolicyRole } from '../../core/replay/experiment-result'
import { policyReplay } from '../../core/replay/policies/of-policy'
import { runtimeReplay } from '../../core/replay/policies/runtime-policies'
import { REPLAY_POLICIES } from '../../core/replay/policies/table'
import { POLICY_FAMILIES, type PolicyFamily, type ReplayPolicy } from '../../core/replay/replay-policy'
import type { ReplayCandidate } from './replay-ports'

/** A policy as plain data, which a thread can be given: one of the table, the values of one, or what a runtime does. */
export type PolicyChoice =
  | { readonly kind: 'named'; readonly id: string }
  | { readonly kind: 'values'; readonly id: string; readonly label: string; readonly policy: Policy }
  | {
      readonly kind: 'runtime'
      readonly id: string
      readonly label: string
      readonly store: RuntimeStore
      readonly session: RuntimeSession
    }

/** A policy that can be replayed, for a reader. */
export type PolicyEntry = {
  readonly id: string
  readonly label: string
  readonly about: string
  readonly role: PolicyRole
  /** What it goes by. */
  readonly group: string
}

/** The policies that there are, and which one each is for a session: what is in force differs from store to store. */
export type PolicyCatalogue = {
  readonly entries: readonly PolicyEntry[]
  /** @param id of an entry */
  readonly choiceFor: (id: string, session: Pick<ReplayCandidate, 'store' | 'transcript'>) => PolicyChoice
}

/** The policy that is in force for a session, and the operator's draft for it. */
export const IN_FORCE = 'in-force'
const DRAFT = 'draft'

const ROLES: { readonly [F in PolicyFamily]?: PolicyRole } = {
  everything: 'all',
  recorded: 'recorded',
  random: 'random',
  oracle: 'oracle',
}

const YOURS: readonly PolicyEntry[] = [
  {
    ...{ id: IN_FORCE, label: 'In force', role: 'in-force', group: 'Yours' },
    about: 'What the runtime of each session does by its release and its own settings files.',
  },
  {
    ...{ id: DRAFT, label: 'Your draft', role: 'policy', group: 'Yours' },
    about: 'Your own settings file, with what the files of each store say, as the library carries it out.',
  },
]

/** Values that were named beside the table: a file, or what a tuner found. */
export type GivenPolicy = { readonly id: string; readonly label: string; readonly policy: Policy }

/** Puts the table, what is in force, the draft and what was given together. */
export function policyCatalogue({
  runtimeOf,
  draftOf,
  given = [],
}: {
  readonly runtimeOf: (storeId: string) => RuntimeStore
  readonly draftOf: (storeId: string) => Policy
  readonly given?: readonly GivenPolicy[]
}): PolicyCatalogue {
  const table = REPLAY_POLICIES.map(
    ({ id, label, about, source, family }): PolicyEntry => ({
      ...{ id, label, about: `${about} Constants: ${source}.` },
      ...{ role: ROLES[family] ?? 'policy', group: POLICY_FAMILIES[family] },
    }),
  )
  const named = given.map(
    ({ id, label }): PolicyEntry => ({
      ...{ id, label, about: 'As the library carries it out.', role: 'policy', group: 'Yours' },
    }),
  )
  return {
    entries: [...YOURS, ...named, ...table],
    choiceFor: (id, { store, transcript }) => {
      const known = given.find((one) => one.id === id)
      if (known !== undefined) return { kind: 'values', ...known }
      if (id === DRAFT) return { kind: 'values', id, label: 'Your draft', policy: draftOf(store.id) }
      if (id !== IN_FORCE) return { kind: 'named', id }
      const { agent, key, sessionId } = transcript
      const names = key === null ? [sessionId] : [sessionId, key]
      const place = { store: [store.id, store.root], agent, session: names }
      const subject = { ...NO_SUBJECT, ...place, provider: null, at: null }
      return { kind: 'runtime', id, label: 'In force', store: runtimeOf(store.id), session: subject }
    },
  }
}

const byId = new Map(REPLAY_POLICIES.map((policy) => [policy.id, policy]))

/** The policy that a choice names. @throws Error when the table has none of its name */
export function replayPolicyOf(choice: PolicyChoice): ReplayPolicy {
  switch (choice.kind) {
    case 'named': {
      const policy = byId.get(choice.id)
      if (policy === undefined) throw new Error(`There is no policy ${JSON.stringify(choice.id)} to replay`)
      return policy
    }
    case 'values': {
      const { id, label, policy } = choice
      const about = 'As the library carries it out; its summaries are digests.'
      return policyReplay(policy, { id, label, about, source: 'your own files', family: 'draft' })
    }
    case 'runtime':
      return runtimeReplay(runtimePolicy(choice.store, choice.session), choice.id, choice.label)
  }
}
