import { isOfTranscripts } from '../../core/findings/remedies/setting-change'
import { valueAtKeys } from '../../core/policy/path'
import { loadSubjectOf } from '../read/session-subject'
import { offerPin, type PinPlan } from './offer-pin'
import { type FittingTuning, fittingTuning } from './offer-tuned'
import { type ExaminedFinding, planRemedy, type RemedyPlan, type SettingPlan } from './plan-remedy'
import { previewSetting, type SettingPreview } from './preview-setting'
import type { RemedyPorts } from './remedy-ports'
import { keysOf } from './setting-edits'

/** So many of a store's newest sessions are tried where nothing else is said. */
export const MOST_TRIED = 50

/** No call shows whether transcripts stay. */
const NO_PREVIEW: SettingPreview = { sessions: [], more: 0, problems: [], measure: null }

/** What can be done about a finding, and what it would do to the sessions at hand. */
export type OfferedRemedy = OfferedAction & {
  /** A tuning over its sessions, where the policy is its cause; null: there is none. */
  readonly tuning: FittingTuning | null
}

type OfferedAction =
  | (Extract<RemedyPlan, { kind: 'setting' }> & { readonly preview: SettingPreview })
  | Exclude<RemedyPlan, { kind: 'setting' }>
  | { readonly kind: 'pin'; readonly plan: PinPlan }

/**
 * Plans a remedy and tries it on the sessions of its store. A line that would stay where it is in each of them is not
 * offered: something else decides it. Writes nothing.
 * @param most so many of the newest sessions are tried
 * @param wanted the key of a setting, where several would cure it; null: the first
 */
export async function offerRemedy(
  ports: RemedyPorts,
  examined: ExaminedFinding,
  most = MOST_TRIED,
  wanted: string | null = null,
): Promise<OfferedRemedy> {
  const tuning = await fittingTuning(ports, examined)
  return { ...(await offerAction(ports, examined, most, wanted)), tuning }
}

async function offerAction(
  ports: RemedyPorts,
  examined: ExaminedFinding,
  most: number,
  wanted: string | null,
): Promise<OfferedAction> {
  const planned = planRemedy(ports, examined, wanted)
  if (planned.kind !== 'setting') return pinOr(ports, examined, planned)
  const { plan } = planned
  if (isOfTranscripts(plan.lever)) return { ...planned, preview: NO_PREVIEW }
  const ignored = await ignoredBy(ports, examined, plan)
  if (ignored !== null) return { kind: 'none', why: [ignored] }
  const preview = await previewSetting(ports, plan, most)
  const isLine = plan.lever === 'line-up' || plan.lever === 'line-down'
  const own = preview.sessions.find(({ transcriptId }) => transcriptId === examined.transcript.id)
  if (isLine && own !== undefined && own.lineThen === own.lineNow)
    return {
      kind: 'none',
      why: [`${keysOf(plan)} in ${plan.file} would not move the line: another setting decides it.`],
    }
  return { ...planned, preview }
}

/** Rules that can be pinned come before our own actions; why none can is said with them. */
async function pinOr(
  ports: RemedyPorts,
  examined: ExaminedFinding,
  planned: Exclude<RemedyPlan, { kind: 'setting' }>,
): Promise<OfferedAction> {
  if (!examined.finding.remedies.some(({ by }) => by === 'pin')) return planned
  const plan = await offerPin(ports, examined)
  if (typeof plan !== 'string') return { kind: 'pin', plan }
  return planned.kind === 'none'
    ? { ...planned, why: [plan, ...planned.why] }
    : { ...planned, others: [...planned.others, plan] }
}

/** Our own file may say otherwise for some agents or sessions: then a general value changes nothing. null: it counts. */
async function ignoredBy(
  ports: RemedyPorts,
  { store, transcript, totals }: ExaminedFinding,
  plan: SettingPlan,
): Promise<string | null> {
  if (ports.rules.runtimeOf(store.id).owner !== 'library') return null
  const then = await ports.rulesWith(store, plan.file, plan.text)
  const { policy } = then.loads.policyOf(loadSubjectOf({ store, transcript, totals }))
  const [edit] = plan.edits
  const [, ...keys] = edit?.path ?? []
  return edit === undefined || valueAtKeys(policy, keys) === edit.to
    ? null
    : `${keysOf(plan)} in ${plan.file} would not count for this session: another part of the file says otherwise.`
}
