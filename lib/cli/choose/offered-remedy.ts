import { findLabDatabase, openReplays } from '../../compose/replay/lab'
import { readTunedId } from '../../core/findings/remedies/tuned-kinds'
import type { PickName } from '../../core/replay/tune/tune-state'
import { foreseeSetting } from '../../engine/findings/foresee-setting'
import { MOST_TRIED, type OfferedRemedy, offerRemedy } from '../../engine/findings/offer-remedy'
import { type OfferedTuned, offerTuned } from '../../engine/findings/offer-tuned'
import type { SettingPlan } from '../../engine/findings/plan-remedy'
import type { RemedyPorts } from '../../engine/findings/remedy-ports'
import { isTunedOver } from '../../engine/findings/tunings'
import { type StoredTranscript, sessionsOnce } from '../../engine/read/sessions-once'
import { CliError, EXIT, type Io } from '../io'
import { note } from '../print/output'
import { findFinding } from './open-remedies'
import { setupOrFail } from './setup-or-fail'

/** What is offered, and the session that it was worked out for. */
export type CliOffer = {
  readonly offered: OfferedRemedy | (OfferedTuned & { readonly tuning: null })
  readonly own: StoredTranscript
}

/**
 * What can be done about a finding, or the pick of a tuning that is named as `tuned.EXPERIMENT.PICK`.
 * @param asked.pick of the newest tuning over the sessions of the finding; left out: what the finding itself says
 * @param asked.key the setting that is to be changed, where several would cure it
 * @throws CliError when there is none, or the tuning is over several stores
 */
export async function offeredRemedy(
  io: Io,
  ports: RemedyPorts,
  id: string,
  { pick, key }: { readonly pick?: PickName; readonly key?: string },
): Promise<CliOffer> {
  const named = readTunedId(id)
  if (named !== null) {
    const own = await tunedSession(ports, named.experiment)
    const asked = { experiment: named.experiment, pick: named.pick, finding: null, most: MOST_TRIED }
    return { own, offered: { ...(await offerTuned(ports, own, asked)), tuning: null } }
  }
  const examined = await findFinding(io, ports, id)
  if (pick === undefined)
    return { own: examined, offered: await offerRemedy(ports, examined, MOST_TRIED, key ?? null) }
  const asked = { experiment: null, pick, finding: examined.finding, most: MOST_TRIED }
  return { own: examined, offered: { ...(await offerTuned(ports, examined, asked)), tuning: null } }
}

/** The newest session that a tuning was over: its store is what the values are for. */
async function tunedSession(ports: RemedyPorts, experiment: string): Promise<StoredTranscript> {
  const tuning = (await ports.tunings()).find((one) => one.experiment === experiment)
  if (tuning === undefined)
    throw new CliError(
      EXIT.usage,
      `No tuning that has ended is ${JSON.stringify(experiment)}. "plimsoll tune --save NAME" keeps one.`,
    )
  const over = sessionsOnce(ports.listed, null).filter(
    (one) => one.transcript.problem === undefined && isTunedOver(tuning, one),
  )
  const roots = [...new Set(over.map(({ store }) => store.root))]
  const [first] = over
  if (first === undefined) throw new CliError(EXIT.usage, 'The tuning was over none of these sessions.')
  if (roots.length > 1)
    throw new CliError(EXIT.usage, 'The tuning was over several stores. Name one with --store.', {
      candidates: roots,
    })
  return first
}

/** So many of the newest sessions are replayed for a preview. */
const MOST_REPLAYED = 20

/** What a change would have meant for the newest sessions of its store, by replay. null: none has a call. */
export async function foreseenOf(io: Io, ports: RemedyPorts, plan: SettingPlan) {
  const setup = setupOrFail(io)
  const { file, problem } = await findLabDatabase(setup)
  if (problem !== null) await note(io, `warning: what is made ready is not kept: ${problem}`)
  return foreseeSetting({ ...ports, executor: openReplays(setup, file, 'beside') }, plan, MOST_REPLAYED)
}
