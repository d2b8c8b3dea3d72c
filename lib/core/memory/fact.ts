import type { Milliseconds } from '../units/units'
/** What the fact says of a thing, where it says it in so many words: a later one about the same contradicts it. */
export type Relation = { readonly subject: string; readonly verb: string; readonly object: string }

/**
 * `archived`: its confidence has decayed; `contradicted`: a newer one says otherwise. Only `active` ones are recalled.
 */
export const FACT_STATES = ['active', 'archived', 'contradicted'] as const

export type FactState = (typeof FACT_STATES)[number]

/** Something worth knowing beyond the session it was learned in. */
export type Fact = {
  readonly id: string
  readonly content: string
  /** How sure it was when it was last confirmed, 0 … 1; see `confidenceAt` for today. */
  readonly confidence: number
  /** `task:{id}`, or who added it. */
  readonly source: string
  readonly tags: readonly string[]
  /** Whom it concerns: a workspace or an agent; null for everybody. */
  readonly scope: string | null
  /** Names in it: paths, identifiers, addresses. */
  readonly entities: readonly string[]
  readonly relation: Relation | null
  readonly state: FactState
  /** The fact that took its place; null for one that is valid. */
  readonly replacedBy: string | null
  /** When it was first and last said. Milliseconds since the epoch. */
  readonly at: number
  readonly confirmedAt: number
}

/** How sure a fact is that was stated in so many words. */
export const STATED_CONFIDENCE = 0.9
/** The share of its confidence that a fact loses in a month. */
const DECAY_PER_MONTH = 0.05
/** The confidence below which a fact is archived. */
export const ARCHIVED_BELOW = 0.3
const MONTH = 30 * 86_400_000

/** How sure a fact is now: 5 % less for every month since it was last confirmed. */
export function confidenceAt(
  { confidence, confirmedAt }: Pick<Fact, 'confidence' | 'confirmedAt'>,
  now: Milliseconds,
): number {
  // A clock that runs ahead makes nothing surer.
  const months = Math.max(0, now - confirmedAt) / MONTH
  return confidence * (1 - DECAY_PER_MONTH) ** months
}

/** The state of a fact now: an active one that has decayed is archived. */
export function stateAt(fact: Fact, now: Milliseconds): FactState {
  return fact.state === 'active' && confidenceAt(fact, now) < ARCHIVED_BELOW ? 'archived' : fact.state
}
