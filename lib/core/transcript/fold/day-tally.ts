import { inOrder } from '../../tokens/category'
import type { Frame } from '../../tokens/frame'
import type { OwnPrices } from '../../tokens/own-prices'
import { costOf, type PricedCall } from '../../tokens/prices'
import type { Usd } from '../../units/units'
import type { EntryFact, Usage } from '../entry'

/** Sums of one UTC day and model. Tokens; `categories` in the order of CATEGORIES. */
export type DayTotals = {
  readonly day: string
  readonly model: string
  readonly calls: number
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly costUsd: Usd | null
  readonly costUnknownCalls: number
  /** What has no recorded cost, at the operator's or list prices; null: nothing has a price. */
  readonly listUsd: Usd | null
  /** Requests of unknown cost that have no price either. */
  readonly unpriced: number
  readonly categories: readonly number[]
}

export const DAY_MS = 86_400_000

/** What a call adds to sums. Tokens; US dollars. */
export type Amounts = Pick<
  DayTotals,
  | 'calls'
  | 'input'
  | 'output'
  | 'cacheRead'
  | 'cacheWrite'
  | 'costUsd'
  | 'costUnknownCalls'
  | 'listUsd'
  | 'unpriced'
>

type Growing<T> = { -readonly [K in keyof T]: T[K] }

/** What no call adds, but for their number. */
export const NO_SPENDING: Omit<Amounts, 'calls'> = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  costUsd: null,
  costUnknownCalls: 0,
  listUsd: null,
  unpriced: 0,
}

export const NO_AMOUNTS: Amounts = { calls: 0, ...NO_SPENDING }

export class DayTally {
  /** Days since the epoch. */
  readonly number: number
  readonly model: string
  private readonly day: string
  private readonly amounts: Growing<Amounts>
  private readonly categories: number[]
  private taken: DayTotals | null

  constructor(from: DayTotals) {
    const { day, model, categories, ...amounts } = from
    this.number = Math.floor(Date.parse(day) / DAY_MS)
    this.day = day
    this.model = model
    this.amounts = { ...amounts }
    this.categories = [...categories]
    this.taken = from
  }

  /** @param frame what was sent; null when it was not billed @param sign -1: takes it away */
  add(added: Amounts, frame: Frame | null, sign: 1 | -1 = 1): void {
    this.taken = null
    addAmounts(this.amounts, added)
    if (frame === null) return
    const tokens = inOrder(frame.categories)
    for (let i = 0; i < tokens.length; i++) {
      this.categories[i] = (this.categories[i] ?? 0) + sign * (tokens[i] ?? 0)
    }
  }

  snapshot(): DayTotals {
    const { day, model, amounts } = this
    this.taken ??= { day, model, ...amounts, categories: [...this.categories] }
    return this.taken
  }
}

/** Sums of money of which nothing was recorded. */
export type Listed = Pick<Amounts, 'listUsd' | 'unpriced'>

/** What one request comes to where its cost was not recorded. */
export function listedOf(usage: Usage, call: PricedCall, prices: OwnPrices): Listed {
  const { recorded, listed } = costOf(usage, call, prices)
  return { listUsd: listed.value, unpriced: recorded.value === null && listed.value === null ? 1 : 0 }
}

/** What one call adds to sums. @param prices the operator's own, above those of the list */
export function amountsOf(answer: EntryFact, prices: OwnPrices): Amounts {
  const { provider = null, model = null, at } = answer
  const usage = answer.usage ?? null
  const cost = usage === null ? null : costOf(usage, { provider, model, at }, prices)
  // List prices were not billed: they are in no sum with what was recorded.
  const costUsd = cost?.recorded.value ?? null
  const listUsd = cost?.listed.value ?? null
  const isUnknown = costUsd === null && wasBilled(answer)
  return {
    calls: 1,
    input: usage?.input ?? 0,
    output: usage?.output ?? 0,
    cacheRead: usage?.cacheRead ?? 0,
    cacheWrite: usage?.cacheWrite ?? 0,
    costUsd,
    costUnknownCalls: isUnknown ? 1 : 0,
    listUsd,
    unpriced: isUnknown && listUsd === null ? 1 : 0,
  }
}

export function negated({ costUsd, listUsd, ...amounts }: Amounts): Amounts {
  return {
    calls: -amounts.calls,
    input: -amounts.input,
    output: -amounts.output,
    cacheRead: -amounts.cacheRead,
    cacheWrite: -amounts.cacheWrite,
    costUsd: costUsd === null ? null : -costUsd,
    costUnknownCalls: -amounts.costUnknownCalls,
    listUsd: listUsd === null ? null : -listUsd,
    unpriced: -amounts.unpriced,
  }
}

export function addAmounts(to: Growing<Amounts>, added: Amounts): void {
  to.calls += added.calls
  to.input += added.input
  to.output += added.output
  to.cacheRead += added.cacheRead
  to.cacheWrite += added.cacheWrite
  if (added.costUsd !== null) to.costUsd = (to.costUsd ?? 0) + added.costUsd
  to.costUnknownCalls += added.costUnknownCalls
  if (added.listUsd !== null) to.listUsd = (to.listUsd ?? 0) + added.listUsd
  to.unpriced += added.unpriced
}

/** A call that failed before the model answered was not billed, as far as anybody can tell. */
function wasBilled(answer: EntryFact): boolean {
  return answer.stopReason !== 'error' && answer.stopReason !== 'aborted'
}
