import type { FindingMute } from '../../core/findings/mutes'
import type { Milliseconds } from '../../core/units/units'

/** A setting that was applied for a finding. */
type AppliedSetting = {
  readonly at: Milliseconds
  readonly undoneAt: Milliseconds | null
  readonly key: string
  readonly from: string | number | boolean | null
  readonly to: string | number | boolean | null
}

/** What became of a finding, one step after the other. */
export type HistoryStep = {
  readonly at: Milliseconds
  readonly words: string
  /** Until when it holds; null: for good, or it is a moment. */
  readonly until: Milliseconds | null
}

/** Found, muted, a setting applied and taken back, gone: the oldest first. */
export function findingHistory({
  foundAt,
  goneAt,
  mutes,
  applied,
}: {
  readonly foundAt: Milliseconds
  readonly goneAt: Milliseconds | null
  readonly mutes: readonly FindingMute[]
  readonly applied: readonly AppliedSetting[]
}): readonly HistoryStep[] {
  const steps: HistoryStep[] = [
    { at: foundAt, words: 'Found', until: null },
    ...mutes.map(({ at, reason, until }) => ({ at, words: `Muted: ${reason}`, until })),
    ...applied.flatMap((one) => [
      { at: one.at, words: `Applied: ${changeWords(one)}`, until: null },
      ...(one.undoneAt === null ? [] : [{ at: one.undoneAt, words: `Taken back: ${one.key}`, until: null }]),
    ]),
    ...(goneAt === null ? [] : [{ at: goneAt, words: 'Not found any more', until: null }]),
  ]
  return steps.sort((a, b) => a.at - b.at)
}

/** `compaction.reserveTokens: 20000 → 40000`. */
export function changeWords({ key, from, to }: Pick<AppliedSetting, 'key' | 'from' | 'to'>): string {
  return `${key}: ${from ?? 'not set'} → ${to ?? 'not set'}`
}
