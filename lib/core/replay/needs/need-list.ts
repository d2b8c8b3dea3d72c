import { IntList } from '../int-list'
import { NEED_KINDS, type ReplayNeeds } from '../replay-session'
import { LEAST_WEIGHT, NEED_GRAIN } from './need-weights'

/** Why what a call wrote is no need of its context, or 'none': it is one. */
const EXCLUSIONS = ['none', 'quoted', 'reread', 'encrypted', 'repeated', 'unseen'] as const
export type Exclusion = (typeof EXCLUSIONS)[number]

/** What a need may be before it is known how common its span is in the session. */
export type NewNeed = {
  readonly at: number
  readonly kind: number
  readonly span: number
  /** Class and place. */
  readonly weight: number
  readonly exclusion: Exclusion
  /** Chunks that could have given it, oldest first. */
  readonly sources: readonly number[]
}

/** Needs of a session while they are gathered. */
export class NeedList {
  readonly #at = new IntList()
  readonly #kind = new IntList()
  readonly #span = new IntList()
  readonly #exclusion = new IntList()
  readonly #weight: number[] = []
  readonly #offset = new IntList()
  readonly #source = new IntList()

  constructor() {
    this.#offset.push(0)
  }

  add({ at, kind, span, weight, exclusion, sources }: NewNeed): void {
    this.#at.push(at)
    this.#kind.push(kind)
    this.#span.push(span)
    this.#exclusion.push(EXCLUSIONS.indexOf(exclusion))
    this.#weight.push(weight)
    for (const chunk of sources) this.#source.push(chunk)
    this.#offset.push(this.#source.length)
  }

  /**
   * The needs that weigh enough, in order of calls, and the weight of those that do not count.
   * @param factorOf by what the weight of a span of a kind is to be multiplied
   */
  finish(factorOf: (span: number, kind: (typeof NEED_KINDS)[number]) => number): {
    readonly needs: ReplayNeeds
    readonly excluded: { readonly [E in Exclusion]: number }
  } {
    const excluded = { none: 0, quoted: 0, reread: 0, encrypted: 0, repeated: 0, unseen: 0 }
    const [at, kind, span, offset, source] = [0, 0, 0, 0, 0].map(() => new IntList()) as [
      IntList,
      IntList,
      IntList,
      IntList,
      IntList,
    ]
    const weights: number[] = []
    offset.push(0)
    for (let n = 0; n < this.#weight.length; n++) {
      const kindOf = NEED_KINDS[this.#kind.at(n)] as (typeof NEED_KINDS)[number]
      const factor = factorOf(this.#span.at(n), kindOf)
      const weight = Math.round(NEED_GRAIN * (this.#weight[n] ?? 0) * factor) / NEED_GRAIN
      if (weight < LEAST_WEIGHT) continue
      const exclusion = EXCLUSIONS[this.#exclusion.at(n)] as Exclusion
      excluded[exclusion] += weight
      if (exclusion !== 'none') continue
      at.push(this.#at.at(n))
      kind.push(this.#kind.at(n))
      span.push(this.#span.at(n))
      weights.push(weight)
      for (let s = this.#offset.at(n); s < this.#offset.at(n + 1); s++) source.push(this.#source.at(s))
      offset.push(source.length)
    }
    const needs = {
      count: weights.length,
      at: at.toArray(),
      weight: Float32Array.from(weights),
      kind: Uint8Array.from(kind.toArray()),
      span: span.toArray(),
      offset: offset.toArray(),
      source: source.toArray(),
    }
    return { needs, excluded }
  }
}
