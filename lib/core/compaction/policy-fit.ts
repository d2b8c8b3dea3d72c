import type { CompactionExplanation, FitReason } from './explain'
import type { InspectedCompaction } from './inspect'

/** A recorded compaction with where it is and how it agrees with what the runtime does. */
export type FittedCompaction = {
  /** 1-based line in its file, and the id of its entry. */
  readonly line: number
  readonly entryId: string
  readonly at: number | null
  readonly afterCall: number
  readonly explanation: CompactionExplanation
}

/** How well the runtime policy explains the recorded compactions of a session or a store. */
export type PolicyFit<C extends FittedCompaction = FittedCompaction> = {
  /** All recorded compactions. */
  readonly recorded: number
  /** Those that a line decides about and of which the record holds what the runtime compares. */
  readonly compared: number
  /** Those of them that the runtime policy explains within one call. */
  readonly explained: number
  /** Those of them where the window of that time had to be assumed. */
  readonly windowAssumed: number
  /** Share of those compared that are explained; null where none could be compared. */
  readonly share: number | null
  /** How many are not explained, or not compared, by reason. */
  readonly reasons: { readonly [R in FitReason]?: number }
  /** Each that is not explained, and each that could not be compared, in the order given. */
  readonly others: readonly C[]
}

/** The compactions of a transcript that a fit is about: what the runtime did itself. */
export function fittedOf(found: readonly InspectedCompaction[]): FittedCompaction[] {
  return found.flatMap(({ line, entryId, at, afterCall, explanation }) =>
    explanation === null ? [] : [{ line, entryId, at, afterCall, explanation }],
  )
}

/** Counts how many of recorded compactions the runtime policy explains. */
export function policyFit<C extends FittedCompaction>(found: readonly C[]): PolicyFit<C> {
  const compared = found.filter(({ explanation }) => explanation.verdict !== 'apart')
  const explained = compared.filter(({ explanation }) => explanation.verdict === 'explained')
  const others = found.filter(({ explanation }) => explanation.verdict !== 'explained')
  const reasons: { [R in FitReason]?: number } = {}
  for (const { explanation } of others) {
    const { reason } = explanation
    if (reason !== null) reasons[reason] = (reasons[reason] ?? 0) + 1
  }
  return {
    recorded: found.length,
    compared: compared.length,
    explained: explained.length,
    windowAssumed: explained.filter(({ explanation }) => explanation.assumedWindow !== null).length,
    share: compared.length === 0 ? null : explained.length / compared.length,
    reasons,
    others,
  }
}

/** The fits of several sessions as one. */
export function joinFits<C extends FittedCompaction>(fits: readonly PolicyFit<C>[]): PolicyFit<C> {
  const sum = (part: (fit: PolicyFit<C>) => number) => fits.reduce((total, fit) => total + part(fit), 0)
  const compared = sum((fit) => fit.compared)
  const explained = sum((fit) => fit.explained)
  const reasons: { [R in FitReason]?: number } = {}
  for (const fit of fits)
    for (const [reason, count] of Object.entries(fit.reasons) as [FitReason, number][])
      reasons[reason] = (reasons[reason] ?? 0) + count
  return {
    recorded: sum((fit) => fit.recorded),
    compared,
    explained,
    windowAssumed: sum((fit) => fit.windowAssumed),
    share: compared === 0 ? null : explained / compared,
    reasons,
    others: fits.flatMap((fit) => fit.others),
  }
}
