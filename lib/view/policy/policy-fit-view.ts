import type { FittedCompaction, PolicyFit } from '../../core/compaction/policy-fit'
import { explanationWords, REASON_WORDS } from './fit-words'

/** The counts of a fit, without the single compactions. */
export type FitCounts = Omit<PolicyFit, 'others'>

/** A compaction that is not explained, or not compared, with its session. */
export type FitOther = {
  readonly session: string
  readonly title: string
  /** 1-based line in the transcript. */
  readonly line: number
  readonly at: number | null
  readonly afterCall: number
  readonly reason: string
  readonly why: string
  /** It counts against the policy; else it is separate. */
  readonly counts: boolean
}

/** How well what the runtimes do explains what was recorded: per store and per session. Plain data. */
export type PolicyFitView = {
  readonly stores: readonly {
    readonly id: string
    readonly label: string
    /** What is called so owns the store's sessions: `OpenClaw 2026.9.6`. */
    readonly runtime: string
    readonly files: readonly string[]
    readonly assumed: readonly string[]
    readonly fit: FitCounts
  }[]
  /** Those with recorded compactions, newest first. */
  readonly sessions: readonly { readonly id: string; readonly title: string; readonly fit: FitCounts }[]
  /** Those that count against the policy first, and how many there are in all. */
  readonly others: readonly FitOther[]
  readonly othersInAll: number
}

/** The counts of a fit alone. */
export function fitCounts({ others: _others, ...counts }: PolicyFit): FitCounts {
  return counts
}

/** A compaction of a session in words. */
export function fitOther(
  { id, title }: { readonly id: string; readonly title: string },
  { line, at, afterCall, explanation }: FittedCompaction,
): FitOther {
  return {
    ...{ session: id, title, line, at, afterCall },
    reason: explanation.reason === null ? '' : REASON_WORDS[explanation.reason],
    why: explanationWords(explanation),
    counts: explanation.verdict === 'unexplained',
  }
}
