import { DETECTORS } from '../../core/findings/detectors'
import { TUNED_KIND } from '../../core/findings/remedies/tuned-kinds'
import type { Milliseconds } from '../../core/units/units'
import { changeWords } from './finding-history'

/** A setting that was applied for a finding, and the cause of that finding; null: it is not known any more. */
export type AppliedRemedy = {
  readonly receipt: string
  readonly at: Milliseconds
  readonly undoneAt: Milliseconds | null
  readonly finding: string
  readonly kind: string
  readonly file: string
  readonly key: string
  readonly from: string | number | boolean | null
  readonly to: string | number | boolean | null
  readonly cause: string | null
}

/** Applied settings that are shown and measured. */
export const APPLIED_SHOWN = 10

/** A setting that was applied, as the page shows it. Whether it helped is asked for apart. */
export type AppliedItem = {
  readonly receipt: string
  readonly at: Milliseconds
  readonly undoneAt: Milliseconds | null
  /** What it was to cure. */
  readonly title: string
  readonly change: string
  readonly file: string
}

/** Whether an applied setting helped. */
export type EffectItem = {
  readonly receipt: string
  readonly verdict: 'helped' | 'no-difference' | 'worse' | 'not-enough' | 'not-measured'
  readonly sentence: string
  /** It was worse three days ago and still is. */
  readonly takeBack: boolean
  /** What could not be read for it. */
  readonly problems: readonly string[]
}

export function appliedItem({ receipt, at, undoneAt, kind, file, ...change }: AppliedRemedy): AppliedItem {
  const title =
    DETECTORS.find((detector) => detector.kind === kind)?.title ??
    (kind === TUNED_KIND ? 'What a tuning found' : kind)
  return { receipt, at, undoneAt, title, change: changeWords(change), file }
}
