import { offerPin, type PinPlan } from './offer-pin'
import { type ExaminedFinding, planRemedy, type RemedyPlan } from './plan-remedy'
import { previewSetting, type SettingPreview } from './preview-setting'
import type { RemedyPorts } from './remedy-ports'

/** So many of a store's newest sessions are tried where nothing else is said. */
const MOST_TRIED = 50

/** What can be done about a finding, and what it would do to the sessions at hand. */
export type OfferedRemedy =
  | (Extract<RemedyPlan, { kind: 'setting' }> & { readonly preview: SettingPreview })
  | Exclude<RemedyPlan, { kind: 'setting' }>
  | { readonly kind: 'pin'; readonly plan: PinPlan }

/**
 * Plans a remedy and tries it on the sessions of its store. A line that would stay where it is in each of them is not
 * offered: something else decides it. Writes nothing.
 * @param most so many of the newest sessions are tried
 */
export async function offerRemedy(
  ports: RemedyPorts,
  examined: ExaminedFinding,
  most = MOST_TRIED,
): Promise<OfferedRemedy> {
  const planned = planRemedy(ports, examined)
  if (planned.kind !== 'setting') return pinOr(ports, examined, planned)
  const { plan } = planned
  const preview = await previewSetting(ports, plan, most)
  const isLine = plan.remedy.lever === 'line-up' || plan.remedy.lever === 'line-down'
  const own = preview.sessions.find(({ transcriptId }) => transcriptId === examined.transcript.id)
  if (isLine && own !== undefined && own.lineThen === own.lineNow)
    return {
      kind: 'none',
      why: [`${plan.remedy.key} in ${plan.file} would not move the line: another setting decides it.`],
    }
  return { ...planned, preview }
}

/** Rules that can be pinned come before our own actions; why none can is said with them. */
async function pinOr(
  ports: RemedyPorts,
  examined: ExaminedFinding,
  planned: Exclude<RemedyPlan, { kind: 'setting' }>,
): Promise<OfferedRemedy> {
  if (!examined.finding.remedies.some(({ by }) => by === 'pin')) return planned
  const plan = await offerPin(ports, examined)
  if (typeof plan !== 'string') return { kind: 'pin', plan }
  return planned.kind === 'none'
    ? { ...planned, why: [plan, ...planned.why] }
    : { ...planned, others: [...planned.others, plan] }
}
