import { isTunable, TUNED_KIND, tunedId } from '../../core/findings/remedies/tuned-kinds'
import type { Interval } from '../../core/replay/replay-result'
import type { PickName } from '../../core/replay/tune/tune-state'
import type { Milliseconds } from '../../core/units/units'
import type { StoredTranscript } from '../read/sessions-once'
import { examineTotals } from './examine-session'
import type { ExaminedFinding, SettingPlan, SettingReason } from './plan-remedy'
import { planTuned, type TunedBasis, type TunedPlan } from './plan-tuned'
import { previewSetting, type SettingPreview } from './preview-setting'
import type { RemedyPorts } from './remedy-ports'
import { type FinishedTuning, isTunedOver } from './tunings'

/** The values of a pick as a change of settings, and what it would do. */
export type OfferedTuned =
  | {
      readonly kind: 'setting'
      readonly plan: SettingPlan
      readonly preview: SettingPreview
      readonly basis: TunedBasis
    }
  | { readonly kind: 'none'; readonly why: readonly string[] }

/** That a tuning was over the sessions of a finding, and what it measured of its picks on others that it never saw. */
export type FittingTuning = {
  readonly experiment: string
  readonly name: string
  readonly endedAt: Milliseconds
  readonly picks: readonly {
    readonly pick: PickName
    readonly verdict: FinishedTuning['picks'][number]['verdict']
    readonly gain: Interval | null
    readonly longRecall: Interval | null
  }[]
}

/** The newest tuning over the sessions of a finding whose cause is the policy; null: there is none. */
export async function fittingTuning(
  ports: Pick<RemedyPorts, 'tunings'>,
  { finding, store, transcript }: ExaminedFinding,
): Promise<FittingTuning | null> {
  if (!isTunable(finding)) return null
  const tuning = (await ports.tunings()).find((one) => isTunedOver(one, { store, transcript }))
  if (tuning === undefined) return null
  const { experiment, name, endedAt, picks } = tuning
  return {
    ...{ experiment, name, endedAt },
    picks: picks.map(({ pick, verdict, gain, sum }) => ({
      ...{ pick, verdict, gain, longRecall: sum?.longRecall ?? null },
    })),
  }
}

type AskedTuned = {
  /** The tuning; null: the newest over the session. */
  readonly experiment: string | null
  readonly pick: PickName
  /** What it is to cure; null: it is for what the tuning found alone. */
  readonly finding: Pick<ExaminedFinding['finding'], 'id'> | null
}

/**
 * A pick of a tuning as a remedy for the sessions of a store, tried on the newest of them. Writes nothing.
 * @param asked.most so many sessions are tried
 */
export async function offerTuned(
  ports: RemedyPorts,
  own: StoredTranscript,
  asked: AskedTuned & { readonly most: number },
): Promise<OfferedTuned> {
  const planned = await planPick(ports, own, asked)
  if (typeof planned === 'string') return { kind: 'none', why: [planned] }
  const { plan, basis } = planned
  return { kind: 'setting', plan, basis, preview: await previewSetting(ports, plan, asked.most) }
}

/** Why a pick cannot be set where the agents of a session read it, in a sentence; null: it can. Nothing is tried. */
export async function whyNotTuned(
  ports: RemedyPorts,
  own: StoredTranscript,
  asked: AskedTuned,
): Promise<string | null> {
  const planned = await planPick(ports, own, asked)
  return typeof planned === 'string' ? planned : null
}

/** A sentence where it is not offered. */
async function planPick(
  ports: RemedyPorts,
  own: StoredTranscript,
  { experiment, pick, finding }: AskedTuned,
): Promise<TunedPlan | string> {
  const tuning = (await ports.tunings()).find((one) =>
    experiment === null ? isTunedOver(one, own) : one.experiment === experiment,
  )
  if (tuning === undefined) return 'No tuning that has ended was over this session; begin one in the Lab.'
  if (!isTunedOver(tuning, own)) return `The tuning ${tuning.name} was not over the sessions of this store.`
  const reason: SettingReason = {
    id: finding?.id ?? tunedId(tuning.experiment, pick),
    kind: TUNED_KIND,
    concerns: { transcriptId: own.transcript.id, agent: null, model: null },
  }
  const totals = await examineTotals(ports.reader, own)
  return planTuned(ports, tuning, pick, { ...own, totals, reason })
}
