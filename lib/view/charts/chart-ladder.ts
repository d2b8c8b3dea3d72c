import { loadLines } from '../../core/budget/load-lines'
import { type RuntimeLine, runtimeLines } from '../../core/budget/runtime-lines'
import type { Policy } from '../../core/policy/policy'
import type { RuntimePolicy } from '../../core/policy/runtime/runtime-policy'
import type { WindowSpan } from '../session/call-columns'

/** Whose lines and regions a chart of frames draws. */
export type ChartLadder = {
  /** Lowest first; tokens in a window of this size, of which the runtime may believe another one. */
  readonly lines: (window: Pick<WindowSpan, 'tokens' | 'believed'>) => readonly RuntimeLine[]
  readonly budget: Policy['budget']
}

/** What the runtime of the session really does. */
export function runtimeLadder(runtime: RuntimePolicy): ChartLadder {
  const { window, budget } = runtime.policy
  const cap = window.cap ?? Number.POSITIVE_INFINITY
  return { lines: ({ tokens, believed = tokens }) => runtimeLines(runtime, Math.min(believed, cap)), budget }
}

/** What is tried. */
export function draftLadder(policy: Policy): ChartLadder {
  return { lines: ({ tokens }) => loadLines(policy, tokens), budget: policy.budget }
}
