import type { ResolvedPolicy } from '../policy/resolve'
import type { RuntimeInfo, RuntimePolicy } from '../policy/runtime/runtime-policy'
import type { Tokens } from '../units/units'
import { type PolicyWindow, policyReserve } from './guard'
import { loadLines } from './load-lines'
import { type RuntimeLine, runtimeLines } from './runtime-lines'
import { reserveInForce } from './session-load'

/** What a fill is compared with: what a runtime does, or a draft that is tried (`runtime` is null then). */
export type JudgedPolicy = ResolvedPolicy & { readonly runtime: RuntimeInfo | null }

/** The lines that something comes of when they are passed, lowest first. */
export function judgedLines(judged: JudgedPolicy, window: Tokens): RuntimeLine[] {
  const lines = isRuntime(judged) ? runtimeLines(judged, window) : loadLines(judged.policy, window)
  return lines.filter((line) => !line.unreachable)
}

/** Tokens kept free of the window in force. @param reckoned the one that the lines of a runtime are in */
export function judgedReserve(judged: JudgedPolicy, window: PolicyWindow, reckoned: PolicyWindow): number {
  return isRuntime(judged)
    ? reserveInForce(judged, window, reckoned)
    : policyReserve(judged.policy, window.tokens)
}

function isRuntime(judged: JudgedPolicy): judged is RuntimePolicy {
  return judged.runtime !== null
}
