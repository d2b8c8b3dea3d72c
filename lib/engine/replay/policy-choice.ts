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
import { candidatePolicy } from '../../core/replay/tune/run-task'
import type { Genes } from '../../core/replay/tune/search-space'
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
  /** A point of a tuner's search: changes of a policy. */
  | { readonly kind: 'point'; readonly id: string; readonly base: Policy; readonly genes: Genes }

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
export const DRAFT = 'draft'

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
export type GivenPolicy = {
  readonly id: string
  readonly label: string
  readonly policy: Policy
  /** A tuner found it. */
  readonly isTuned?: true
}

/** Puts the table, what is in force and the draft together. */
export function policyCatalogue({
  runtimeOf,
  draftOf,
}: {
  readonly runtimeOf: (storeId: string) => RuntimeStore
  readonly draftOf: (storeId: string) => Policy
}): PolicyCatalogue {
  const table = REPLAY_POLICIES.map(
    ({ id, label, about, source, family }): PolicyEntry => ({
      ...{ id, label, about: `${about} Constants: ${source}.` },
      ...{ role: ROLES[family] ?? 'policy', group: POLICY_FAMILIES[family] },
    }),
  )
  return {
    entries: [...YOURS, ...table],
    choiceFor: (id, { store, transcript }) => {
      if (id === DRAFT) return { kind: 'values', id, label: 'Your draft', policy: draftOf(store.id) }
      if (id !== IN_FORCE) return { kind: 'named', id }
      return runtimeChoice({ id, label: 'In force' }, runtimeOf(store.id), { store, transcript })
    },
  }
}

/** What a runtime does in a session, by what is known of its store. */
export function runtimeChoice(
  { id, label }: Pick<PolicyEntry, 'id' | 'label'>,
  runtime: RuntimeStore,
  { store, transcript }: Pick<ReplayCandidate, 'store' | 'transcript'>,
): PolicyChoice {
  const { agent, key, sessionId } = transcript
  const names = key === null ? [sessionId] : [sessionId, key]
  const place = { store: [store.id, store.root], agent, session: names }
  const session = { ...NO_SUBJECT, ...place, provider: null, at: null }
  return { kind: 'runtime', id, label, store: runtime, session }
}

const byId = new Map(REPLAY_POLICIES.map((policy) => [policy.id, policy]))

/** The policy that a choice names. @throws Error when the table has none of its name */
export function replayPolicyOf(choice: PolicyChoice): ReplayPolicy {
  switch (choice.kind) {
    case 'named':
      return tablePolicy(choice.id)
    case 'values': {
      const { id, label, policy } = choice
      const about = 'As the library carries it out; its summaries are digests.'
      return policyReplay(policy, { id, label, about, source: 'your own files', family: 'draft' })
    }
    case 'point':
      return pointPolicy(choice.base, choice.genes)
    case 'runtime':
      return runtimeReplay(runtimePolicy(choice.store, choice.session), choice.id, choice.label)
  }
}

/** Policies of points of one base, by their genes. */
type PointPolicies = Map<string, ReplayPolicy>

/** Those of the base that was asked for last, and by base: each task that a thread is given has a copy of it. */
let searched: { readonly base: string; readonly points: PointPolicies } = { base: '', points: new Map() }
const pointsOf = new WeakMap<Policy, PointPolicies>()
const MOST_POINTS = 1_000

/** The policy of a point. A search tries each point over many sessions, and making it takes longer than one replay. */
function pointPolicy(base: Policy, genes: Genes): ReplayPolicy {
  let points = pointsOf.get(base)
  if (points === undefined) {
    const text = JSON.stringify(base)
    if (text !== searched.base) searched = { base: text, points: new Map() }
    points = searched.points
    pointsOf.set(base, points)
  }
  const key = genes.join(' ')
  const before = points.get(key)
  if (before !== undefined) return before
  if (points.size >= MOST_POINTS) points.clear()
  const policy = candidatePolicy(base, { genes }, tablePolicy)
  points.set(key, policy)
  return policy
}

function tablePolicy(id: string): ReplayPolicy {
  const policy = byId.get(id)
  if (policy === undefined) throw new Error(`There is no policy ${JSON.stringify(id)} to replay`)
  return policy
}

/** A catalogue with some more policies. */
export function withGiven(catalogue: PolicyCatalogue, given: readonly GivenPolicy[]): PolicyCatalogue {
  const entries = given.map(
    ({ id, label, isTuned }): PolicyEntry => ({
      ...{ id, label, about: 'As the library carries it out.', group: 'Yours' },
      role: isTuned === true ? 'tuned' : 'policy',
    }),
  )
  return {
    entries: [...entries, ...catalogue.entries],
    choiceFor: (id, session) => {
      const known = given.find((one) => one.id === id)
      return known === undefined
        ? catalogue.choiceFor(id, session)
        : { kind: 'values', id, label: known.label, policy: known.policy }
    },
  }
}
