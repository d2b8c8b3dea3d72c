import type { ExperimentResult, TuneOutcome } from '../../core/replay/experiment-result'
import type { ReplayChoice } from '../../core/replay/experiment-spec'
import type { ReplaySum } from '../../core/replay/replay-result'
import type { Milliseconds } from '../../core/units/units'
import type { StoredTranscript } from '../read/sessions-once'
import { resultOf, specOf } from '../replay/experiments'
import type { ExperimentRow, ExperimentRows } from '../replay/replay-ports'

/** The newest tunings that have ended, so many of them: older ones were of other work. */
const MOST_TUNINGS = 5
/** Experiments that are looked at for them. */
const MOST_LISTED = 100

/** A tuning that has ended. */
export type FinishedTuning = {
  readonly experiment: string
  readonly name: string
  readonly endedAt: Milliseconds
  readonly choice: ReplayChoice
  readonly split: TuneOutcome['split']
  readonly picks: readonly (TuneOutcome['picks'][number] & {
    /** Over the sessions that were never seen; null: the result does not say. */
    readonly sum: ReplaySum | null
  })[]
}

/** The newest tunings that have ended, the newest first. */
export function finishedTunings(rows: ExperimentRows): readonly FinishedTuning[] {
  const found: FinishedTuning[] = []
  for (const head of rows.list(MOST_LISTED)) {
    if (found.length === MOST_TUNINGS) break
    if (specOf(head)?.kind !== 'tune') continue
    const row = rows.find(head.id)
    const tuning = row === null ? null : tuningOf(row)
    if (tuning !== null) found.push(tuning)
  }
  return found
}

/** What an experiment found, where it was a tuning that has ended; null: it was not. */
export function tuningOf(row: ExperimentRow): FinishedTuning | null {
  const { id, name, outcome } = row
  const spec = specOf(row)
  const result: ExperimentResult | null = outcome === null ? null : resultOf(outcome)
  if (spec === null || outcome === null || result === null || result.tune === null) return null
  const { tune, policies } = result
  return {
    ...{ experiment: id, name, endedAt: outcome.endedAt, choice: spec.sessions, split: tune.split },
    picks: tune.picks.map((pick) => ({
      ...pick,
      sum: policies.find((policy) => policy.name === pick.name)?.sum ?? null,
    })),
  }
}

/** Whether a session is among those that a tuning was over, as far as it was there then. */
export function isTunedOver(
  { choice: { stores, agents, ids } }: Pick<FinishedTuning, 'choice'>,
  { store, transcript }: StoredTranscript,
): boolean {
  const takes = (list: readonly string[], value: string | null) =>
    list.length === 0 || (value !== null && list.includes(value))
  return takes(stores, store.id) && takes(agents, transcript.agent) && takes(ids, transcript.id)
}

/** How many sessions of a store a tuning was over, and how many of them have grown since. */
export function grownSince(
  tuning: FinishedTuning,
  listed: readonly StoredTranscript[],
  storeId: string,
): { readonly sessions: number; readonly grown: number } {
  const own = listed.filter((one) => one.store.id === storeId && isTunedOver(tuning, one))
  const grown = own.filter(({ transcript }) => transcript.stamp.mtimeMs > tuning.endedAt).length
  return { sessions: own.length, grown }
}
