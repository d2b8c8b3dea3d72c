import { type Branches, ROOT } from '../transcript/branches'
import { contextStep, isBoundary, walkPath } from '../transcript/context'
import type { EntryFact } from '../transcript/entry'
import type { CallRoute } from '../transcript/fold/call-route'
import { changesReplay } from '../transcript/replay-plan'
import { SEND_START, type Sender, type SendState, type Unsent } from '../transcript/send-rules'
import { EntryWeights } from './entry-weights'

/**
 * One entry of a run: its sequence number, why it was not sent (null: it was), and turns begun up to it. Of the one
 * that is `replayed` a provider's checkpoint is sent, and the content that this does not cover.
 */
type RunItem = {
  readonly seq: number
  readonly why: Unsent | null
  readonly turns: number
  readonly replayed?: true
}

/** How much of a run is the context of a leaf. */
export type RunPrefix = {
  /** Entries of it. */
  readonly count: number
  /** Turns begun on the path up to the leaf, counted like those of the items. */
  readonly turns: number
}

const NOTHING: RunPrefix = { count: 0, turns: 0 }

export type RunOptions = {
  readonly sender: Sender
  /** Whether an entry begins a turn. */
  readonly startsTurn: (fact: EntryFact) => boolean
  /** On which way the call is made that the context is for. */
  readonly route: CallRoute
}

/**
 * The context of a leaf, kept so that those of the leaves before it need no walk: between two boundaries (compactions,
 * resets) a context only grows, so that of an earlier leaf is the beginning of that of a later one.
 */
export class ContextRun {
  readonly items: readonly RunItem[]
  readonly weights: EntryWeights
  readonly #leaf: number
  readonly #path: readonly number[]
  readonly #first: number
  readonly #route: CallRoute | null
  readonly #ascending: boolean
  /** By place on the path: entries of the context up to there, and turns begun. */
  readonly #counts: Int32Array
  readonly #turns: Int32Array

  constructor(branches: Branches, leaf: number, { sender, startsTurn, route }: RunOptions) {
    const { path, boundary, walked } = walkPath(branches, leaf, route)
    this.weights = new EntryWeights(sender)
    this.#leaf = leaf
    this.#path = path
    const anew = branches.hasCheckpoints
      ? path.findLastIndex((seq) => beginsAnew(branches.facts[seq]))
      : boundary
    this.#first = Math.max(boundary, anew)
    this.#route = branches.hasCheckpoints ? route : null
    this.#ascending = branches.plain
    this.#turns = new Int32Array(path.length)
    this.#counts = new Int32Array(path.length)
    let turns = 0
    path.forEach((seq, at) => {
      const fact = branches.facts[seq]
      if (fact !== undefined && startsTurn(fact)) turns += 1
      this.#turns[at] = turns
    })
    const items: RunItem[] = []
    let state: SendState = SEND_START
    for (const { fact, afterReset, at, replayed } of walked) {
      const step = contextStep(state, fact, sender, afterReset, replayed)
      state = step.state
      const { verdict } = step
      if (verdict !== null) {
        const why = verdict.sent ? null : verdict.why
        items.push({ seq: fact.seq, why, turns: this.#turns[at] ?? 0, ...(replayed && { replayed: true }) })
        this.weights.add({ fact, sent: verdict.sent, ...(why !== null && { why }) })
      }
      this.#counts[at] = items.length
    }
    for (let at = 1; at < path.length; at++) {
      this.#counts[at] = Math.max(this.#counts[at] ?? 0, this.#counts[at - 1] ?? 0)
    }
    this.items = items
  }

  /** The part of the run that is the context of `leaf` for a call on a route; null when it is not a part of it. */
  prefix(leaf: number, route: CallRoute): RunPrefix | null {
    if (this.#route !== null && !isSameCall(this.#route, route)) return null
    // A leaf whose parents form a ring has no path, and its context is empty.
    if (leaf === ROOT || (leaf === this.#leaf && this.#path.length === 0)) return NOTHING
    const at = this.#placeOf(leaf)
    if (at < 0 || at < this.#first) return null
    return { count: this.#counts[at] ?? 0, turns: this.#turns[at] ?? 0 }
  }

  #placeOf(leaf: number): number {
    if (this.#ascending) return placeIn(this.#path, leaf)
    // Where parents may form rings, only the leaf itself is sure.
    return this.#path.at(-1) === leaf ? this.#path.length - 1 : -1
  }
}

/**
 * The last entry of a path whose context begins like that of `leaf`: where the run of both is best made. `leaf` itself
 * when it is not on the path.
 * @param path from the root, as `Branches.path` answers it
 */
export function runLeaf(branches: Branches, path: readonly number[], leaf: number): number {
  if (!branches.plain) return leaf
  let at = placeIn(path, leaf)
  if (at < 0) return leaf
  while (at + 1 < path.length && !beginsAnew(branches.facts[path[at + 1] ?? ROOT])) at += 1
  return path[at] ?? leaf
}

function beginsAnew(fact: EntryFact | undefined): boolean {
  return isBoundary(fact) || (fact !== undefined && changesReplay(fact))
}

function isSameCall(one: CallRoute, other: CallRoute): boolean {
  return one.provider === other.provider && one.model === other.model && one.api === other.api
}

/** Index of a number in an ascending list; -1 when it is not there. */
function placeIn(list: readonly number[], wanted: number): number {
  let low = 0
  let high = list.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = list[middle] ?? 0
    if (found === wanted) return middle
    if (found < wanted) low = middle + 1
    else high = middle - 1
  }
  return -1
}
