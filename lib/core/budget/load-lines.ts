import { DEFAULT_POLICY } from '../policy/default-policy'
import type { Policy } from '../policy/policy'
import type { Figure } from '../tokens/figure'
import type { Tokens } from '../units/units'
import { policyReserve } from './guard'

/** What a line of the ladder asks for when it is crossed. */
export type LineKind = 'curate' | 'compact' | 'slide' | 'checkpoint' | 'flush' | 'hard'

/** A level of the policy's ladder. `tokens` in the window, `pct` of the window from 0 to 100. */
export type LoadLine = {
  readonly kind: LineKind
  /** Unique within the ladder; steps carry their share (`flush .75`). */
  readonly name: string
  readonly tokens: Tokens
  readonly pct: number
  /** It is above the hard line, where nothing gets. */
  readonly unreachable?: true
}

/**
 * The one ladder of a policy, lowest line first. The hard line is the lower of its share and
 * window − reserve; lines above it are kept and marked, so that a screen can say why they never act.
 */
export function loadLines(policy: Policy, window: Tokens): LoadLine[] {
  const { lines } = policy
  const at = (kind: LineKind, share: number, name: string = kind): LoadLine =>
    line(kind, name, Math.floor(window * share + 1e-9), window)
  const found: LoadLine[] = []
  for (const kind of ['curate', 'compact', 'slide'] as const) {
    if (lines[kind].enabled) found.push(at(kind, lines[kind].at))
  }
  if (lines.checkpoints.enabled)
    for (const s of lines.checkpoints.at) found.push(at('checkpoint', s, stepName('checkpoint', s)))
  if (lines.flush.enabled) for (const s of lines.flush.at) found.push(at('flush', s, stepName('flush', s)))
  const soft = softFlushLine(policy, window)
  if (soft !== null) found.push(soft)
  const hard = hardLine(policy, window)
  if (hard === null) return found.sort(byTokens)
  return [
    ...found.map((l) => (l.tokens > hard.tokens ? { ...l, unreachable: true as const } : l)),
    hard,
  ].sort(byTokens)
}

/**
 * The flush line that is so far below where the context is compacted first, as OpenClaw has one
 * (lib/docs/openclaw.md#memory-flush); null without such a distance, or where nothing compacts.
 */
export function softFlushLine(policy: Policy, window: Tokens): LoadLine | null {
  const { softThresholdTokens } = policy.flush
  if (!policy.lines.flush.enabled || softThresholdTokens === 0) return null
  const { compact } = policy.lines
  const lines = [
    ...(compact.enabled ? [Math.floor(window * compact.at + 1e-9)] : []),
    ...(hardLine(policy, window) === null ? [] : [hardLine(policy, window)?.tokens ?? window]),
  ]
  const tokens = Math.min(...lines) - softThresholdTokens
  return lines.length > 0 && tokens > 0 ? line('flush', 'flush ahead', tokens, window) : null
}

/** The hard limit: the lower of its share of the window and window − reserve; null when it is switched off. */
export function hardLine(policy: Policy, window: Tokens): LoadLine | null {
  const { hard } = policy.lines
  if (!hard.enabled) return null
  const tokens = Math.min(Math.floor(window * hard.at + 1e-9), window - policyReserve(policy, window))
  return line('hard', 'hard', tokens, window)
}

/**
 * Lines that a prompt of this size has reached, lowest first: a line at 50 % acts at 50.0 %, not at
 * 49.9 %. The safety margin applies to what is only estimated, and to nothing that is shown.
 */
export function linesReached(
  policy: Policy,
  window: Tokens,
  fill: Figure,
  incomingTokens = 0,
): { readonly decided: number | null; readonly lines: LoadLine[] } {
  const decided = decidedFill(policy, fill, incomingTokens)
  if (decided === null) return { decided, lines: [] }
  return { decided, lines: loadLines(policy, window).filter((l) => !l.unreachable && decided >= l.tokens) }
}

/** A fill as decisions take it: what is only estimated carries the safety margin; null when unknown. Tokens. */
export function decidedFill(policy: Policy, fill: Figure, incomingTokens = 0): number | null {
  if (fill.value === null) return null
  const { safetyMargin } = policy.counting
  return (fill.basis === 'measured' ? fill.value : fill.value * safetyMargin) + incomingTokens * safetyMargin
}

/** The lines that act one by one on the default policy; what screens draw where no policy was chosen. */
export function defaultLoadLines(window: Tokens): LoadLine[] {
  return loadLines(DEFAULT_POLICY, window).filter((l) => !l.unreachable && l.kind !== 'checkpoint')
}

/** Tokens that the default policy keeps free of a window. */
export function reserveOf(window: Tokens): number {
  return policyReserve(DEFAULT_POLICY, window)
}

/** What conversation and fixed part may fill under the default policy: window − reserve, in tokens. */
export function effectiveBudget(window: Tokens): number {
  return window - reserveOf(window)
}

function line(kind: LineKind, name: string, tokens: Tokens, window: Tokens): LoadLine {
  return { kind, name, tokens, pct: window === 0 ? 0 : (tokens / window) * 100 }
}

function stepName(kind: string, share: number): string {
  return `${kind} ${share.toFixed(2).replace(/^0/, '')}`
}

function byTokens(a: LoadLine, b: LoadLine): number {
  return a.tokens - b.tokens
}
