import { estimated, type Figure, measured, UNKNOWN } from '../tokens/figure'
import type { Frame } from '../tokens/frame'
import type { Milliseconds, Tokens, Usd } from '../units/units'
import { type Evidence, type FindingCost, MOST_SHOWN } from './finding'

/** Sums of what calls paid for something, and where it shows. Plain JSON of bounded size. */
export type SignTally = {
  times: number
  tokens: Tokens
  /** Half width of the band of `tokens`. */
  spread: Tokens
  usd: number | null
  usdSpread: number
  /** Calls that paid, and those of them without a price. */
  paid: number
  unpriced: number
  calls: number[]
  lines: number[]
  firstAt: Milliseconds | null
  lastAt: Milliseconds | null
}

export function newTally(): SignTally {
  return {
    times: 0,
    tokens: 0,
    spread: 0,
    usd: null,
    usdSpread: 0,
    paid: 0,
    unpriced: 0,
    calls: [],
    lines: [],
    firstAt: null,
    lastAt: null,
  }
}

/** Whether it is a tally of nothing. */
export function isNewTally(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return 'times' in value && value.times === 0 && 'paid' in value && value.paid === 0
}

/** Once more, at a call or an entry. */
export function noteTime(
  tally: SignTally,
  where: { readonly call?: number; readonly line?: number; readonly at: Milliseconds | null },
): void {
  tally.times += 1
  if (where.call !== undefined) keep(tally.calls, where.call)
  if (where.line !== undefined) keep(tally.lines, where.line)
  if (where.at === null) return
  tally.firstAt ??= where.at
  tally.lastAt = where.at
}

/** The first ones and the last one. */
function keep(list: number[], value: number): void {
  if (list.at(-1) === value) return
  if (list.length < MOST_SHOWN) list.push(value)
  else list[MOST_SHOWN - 1] = value
}

/** A call, as far as it says what it paid for its prompt. */
type PaidCall = {
  readonly frame: Pick<Frame, 'total'>
  readonly promptUsd: Usd | null
  readonly usdErrorPct: number
}

/**
 * A call that paid for so many tokens of its prompt.
 * @param tokens of its prompt, within `errorPct` percent
 */
export function addPaid(
  tally: SignTally,
  { frame, promptUsd, usdErrorPct }: PaidCall,
  tokens: Tokens,
  errorPct: number,
): void {
  const total = frame.total.value ?? 0
  const usd = promptUsd === null || total <= 0 ? null : promptUsd * Math.min(1, tokens / total)
  add(tally, tokens, errorPct, usd, usdErrorPct)
}

/** What one call paid: so many tokens and dollars, each within so many percent. `usdErrorPct` is of the price alone. */
export function addCost(
  tally: SignTally,
  cost: {
    readonly tokens: Tokens
    readonly errorPct: number
    readonly usd: number | null
    readonly usdErrorPct: number
  },
): void {
  add(tally, cost.tokens, cost.errorPct, cost.usd, cost.usdErrorPct)
}

function add(tally: SignTally, tokens: Tokens, errorPct: number, usd: Usd | null, usdErrorPct: number): void {
  tally.paid += 1
  tally.tokens += tokens
  tally.spread += (tokens * errorPct) / 100
  if (usd === null) tally.unpriced += 1
  else {
    tally.usd = (tally.usd ?? 0) + usd
    tally.usdSpread += (usd * Math.min(100, errorPct + usdErrorPct)) / 100
  }
}

export function costOfTally({ tokens, spread, usd, usdSpread, paid, unpriced }: SignTally): FindingCost {
  return {
    tokens: paid === 0 ? UNKNOWN : figureOf(Math.round(tokens), spread),
    usd: usd === null ? UNKNOWN : figureOf(usd, usdSpread),
    calls: measured(paid),
    unpriced,
  }
}

/** Of what has no price at all. */
export const NO_COST: FindingCost = { tokens: UNKNOWN, usd: UNKNOWN, calls: UNKNOWN, unpriced: 0 }

export function evidenceOf(
  { times, calls, lines }: SignTally,
  compared: { readonly before?: Tokens | null; readonly after?: Tokens | null } = {},
): Evidence {
  const { before = null, after = null } = compared
  return { times, calls: [...calls], lines: [...lines], before, after }
}

function figureOf(value: number, spread: number): Figure {
  if (spread <= 0 || value <= 0) return measured(value)
  return estimated(value, Math.max(1, Math.round((spread / value) * 100)))
}
