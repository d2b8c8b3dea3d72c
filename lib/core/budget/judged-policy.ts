import type { ResolvedPolicy } from '../policy/resolve'
import type { RuntimeInfo, RuntimePolicy } from '../policy/runtime/runtime-policy'
import type { Tokens } from '../units/units'
import { policyReserve } from './guard'
import { loadLines } from './load-lines'
import { type RuntimeLine, runtimeLines, runtimeReserve } from './runtime-lines'

/** What a fill is compared with: what a runtime does, or a draft that is tried (`runtime` is null then). */
export type JudgedPolicy = ResolvedPolicy & { readonly runtime: RuntimeInfo | null }

/** The lines that something comes of when they are passed, lowest first. */
export function judgedLines(judged: JudgedPolicy, window: Tokens): RuntimeLine[] {
  const lines = isRuntime(judged) ? runtimeLines(judged, window) : loadLines(judged.policy, window)
  return lines.filter((line) => !line.unreachable)
}

/** Tokens kept free of a window of this size. */
export function judgedReserve(judged: JudgedPolicy, window: Tokens): number {
  return isRuntime(judged) ? runtimeReserve(judged, window) : policyReserve(judged.policy, window)
}

function isRuntime(judged: JudgedPolicy): judged is RuntimePolicy {
  return judged.runtime !== null
}
