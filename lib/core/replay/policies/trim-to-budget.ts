import type { DropRule } from '../drop-rules'
import type { PolicyStep } from '../replay-policy'
import type { ReplayWalk } from '../walk/replay-walk'
import { KIND } from '../walk/session-shape'
import { MARKER } from './mask-results'

/** What a trim goes by: it begins at a share of the window and ends at another one. */
export type TrimBudget = { readonly from: number; readonly to: number }

/** All policies that trim to a budget share this one, so that they differ in what they choose alone. */
export const HALF_BUDGET: TrimBudget = { from: 0.5, to: 0.35 }

/** The newest calls of which nothing goes. */
const NEWEST_CALLS = 3

/** What a chunk is worth; the least goes first, of equal ones the oldest. */
export type Worth = (chunk: number, call: number) => number

let order = new Float64Array(0)

/**
 * Whenever the prompt reaches a share of the window, lets the chunks of least worth go until it is at a lower one: results
 * leave a marker, long arguments of calls are cleared, what the user and the agent said stays.
 */
export function trimStep(walk: ReplayWalk, budget: TrimBudget, rule: DropRule, worth: Worth): PolicyStep {
  return (call) => {
    if (walk.prompt < walk.window * budget.from) return
    trim(walk, walk.window * budget.to, rule, worth, call)
  }
}

function trim(walk: ReplayWalk, target: number, rule: DropRule, worth: Worth, call: number): void {
  const { kind, born, cleared, tokens, block } = walk.session.chunks
  const found: number[] = []
  if (order.length < walk.end) order = new Float64Array(walk.end * 2)
  for (let c = 0; c < walk.end; c++) {
    if (!walk.isWhole(c) || (born[c] as number) > call - NEWEST_CALLS) continue
    const isResult = kind[c] === KIND.result && (tokens[c] as number) > MARKER
    const isLongCall = kind[c] === KIND.call && (cleared[c] as number) < (tokens[c] as number)
    if (!isResult && !isLongCall) continue
    order[c] = worth(c, call)
    found.push(c)
  }
  found.sort((a, b) => (order[a] as number) - (order[b] as number) || a - b)
  for (const c of found) {
    if (walk.prompt <= target) return
    walk.leave(c, rule, kind[c] === KIND.call ? (cleared[c] as number) : block[c] === 0 ? MARKER : 0)
  }
}
