import * as z from 'zod'
import type { MeasureName } from '../../core/findings/effect/measures'
import type { Foreseen } from '../../core/findings/remedies/foreseen'
import type { Receipt } from '../write/receipt'
import type { TunedBasis } from './plan-tuned'

/** What a replay said that a change would do, as its receipt has it: shown beside what came of it. */
export type PromisedEffect = {
  /** Sessions and calls that were replayed. */
  readonly sessions: number
  readonly calls: number
  /** Of the measure that is watched: its change as a share; null: the replay says nothing of it. */
  readonly change: number | null
  readonly low: number | null
  readonly high: number | null
  /** Share of the whole cost that it would have saved, with its interval. */
  readonly saving: number | null
  readonly savingLow: number | null
  readonly savingHigh: number | null
  /** Share of what was needed later that it would have met, then and as it was. */
  readonly recall: number | null
  readonly recallNow: number | null
  /** Of what was needed more than ten calls later. */
  readonly longRecall: number | null
}

const number = z.number().nullable().catch(null)
const PROMISED: z.ZodType<PromisedEffect> = z.object({
  ...{ sessions: z.number(), calls: z.number(), change: number, low: number, high: number },
  ...{ saving: number, savingLow: number, savingHigh: number },
  ...{ recall: number, recallNow: number, longRecall: number },
})
const PREFIX = 'foreseen.'

/** What a receipt says of what was foreseen, and of the tuning that the values are of. */
export function promiseSummary(
  measure: MeasureName | null,
  foreseen: Foreseen | null,
  basis: Pick<TunedBasis, 'experiment' | 'pick'> | null,
): Receipt['summary'] {
  const tuned: Receipt['summary'] =
    basis === null ? {} : { experiment: basis.experiment, pick: basis.pick.pick }
  if (foreseen === null) return tuned
  const { gain, prompt, changed, now, sessions, calls } = foreseen
  const watched =
    measure === 'prompt' || measure === 'sent'
      ? prompt
      : measure === 'compacted' && now.compactions > 0
        ? { value: changed.compactions / now.compactions - 1, low: null, high: null }
        : null
  const promised: PromisedEffect = {
    ...{ sessions, calls },
    ...{ change: watched?.value ?? null, low: watched?.low ?? null, high: watched?.high ?? null },
    ...{ saving: gain?.value ?? null, savingLow: gain?.low ?? null, savingHigh: gain?.high ?? null },
    ...{ recall: changed.recall?.value ?? null, recallNow: now.recall?.value ?? null },
    longRecall: changed.longRecall?.value ?? null,
  }
  const fields = Object.entries(promised).map(([name, value]) => [`${PREFIX}${name}`, value] as const)
  return { ...tuned, ...Object.fromEntries(fields) }
}

/** What was foreseen, as a receipt says it; null: nothing was. */
export function promisedIn(summary: Receipt['summary']): PromisedEffect | null {
  const fields = Object.entries(summary).flatMap(([name, value]) =>
    name.startsWith(PREFIX) ? [[name.slice(PREFIX.length), value] as const] : [],
  )
  const read = PROMISED.safeParse(Object.fromEntries(fields))
  return read.success ? read.data : null
}
