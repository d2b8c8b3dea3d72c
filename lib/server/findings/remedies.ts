import 'server-only'
import { examineStoreFinding } from '../../compose/stores/store-finding'
import { openWriter } from '../../compose/writer'
import type { ValueEdit } from '../../core/findings/remedies/edit-setting'
import { isOfTranscripts } from '../../core/findings/remedies/setting-change'
import { readTunedId } from '../../core/findings/remedies/tuned-kinds'
import type { PickName } from '../../core/replay/tune/tune-state'
import { applyPin } from '../../engine/findings/apply-pin'
import { applySetting } from '../../engine/findings/apply-setting'
import { examineFinding } from '../../engine/findings/examine-finding'
import type { PinPlan } from '../../engine/findings/offer-pin'
import { type OfferedRemedy, offerRemedy } from '../../engine/findings/offer-remedy'
import { type OfferedTuned, offerTuned } from '../../engine/findings/offer-tuned'
import type { RemedyPorts } from '../../engine/findings/remedy-ports'
import type { WriteResult } from '../../engine/write/receipt'
import { askedAgain } from '../../view/findings/foreseen-words'
import { previewLines } from '../../view/findings/preview-words'
import type {
  AppliedAnswer,
  ForeseenAnswer,
  RemedyOffer,
  TunedChoice,
} from '../../view/findings/remedy-answers'
import { patchLines, settingDiff } from '../../view/findings/setting-diff'
import { tunedLines, tuningChoice } from '../../view/findings/tuned-words'
import { getSetup } from '../process/setup'
import { foreseenFollows, foreseenFor, foreseenLater, seenOf } from './foreseen'
import { openRemedyContext } from './remedy-context'

/** A reader waits for the answer: fewer sessions than the command line tries. */
const MOST_TRIED = 10
/** How long another owner of the file is waited for. Milliseconds. */
const WAIT_MS = 5_000

const BY_PAGE = { actor: 'dashboard', wait: { waitMs: WAIT_MS } } as const
const OTHER: AppliedAnswer = {
  kind: 'refused',
  problem: 'The file, or what was to be written, is not what was shown any more. Look at it again.',
}
const GONE = 'The finding is not there any more: its session was read again and has it no longer.'

/** What is asked for: of a finding, or of a pick as `tuned.EXPERIMENT.PICK`; `pick` of a tuning that fits the finding. */
type Asked = { readonly session: string; readonly finding: string; readonly pick: PickName | null }

/** What can be done about a finding, or with what a tuning found. Writes nothing. @param session id as addresses carry it */
export async function getRemedy(
  session: string,
  finding: string,
  pick: PickName | null,
): Promise<RemedyOffer> {
  const found = await offerFor({ session, finding, pick })
  if (found === null) return { kind: 'refused', problem: GONE }
  const { offered } = found
  const tuning: TunedChoice | null = offered.tuning === null ? null : tuningChoice(offered.tuning)
  if (offered.kind === 'none') return { ...offered, tuning }
  if (offered.kind === 'command') {
    const { words, argv, others } = offered
    return { kind: 'command', words, command: argv.join(' '), others, tuning }
  }
  if (offered.kind === 'pin') return pinOffer(offered.plan)
  const { plan, preview } = offered
  const { file, text, edits, before, why, assumed } = plan
  return {
    ...{ kind: 'setting', file, why, assumed, tuning },
    changes: edits.map(changeOf),
    diff: patchLines(settingDiff(file, before, text)),
    measured: 'basis' in offered ? tunedLines(offered.basis) : [],
    tried: [...previewLines(preview), ...otherWays(finding, 'choices' in offered ? offered.choices : [])],
    seen: seenOf(plan),
  }
}

/** What the change would have meant for recorded sessions, by replay in another thread. The page asks for it apart. */
export async function getForeseen(
  session: string,
  finding: string,
  pick: PickName | null,
): Promise<ForeseenAnswer> {
  const found = await offerFor({ session, finding, pick })
  if (found === null) return { kind: 'refused', problem: GONE }
  const { offered, ports } = found
  if (offered.kind !== 'setting') return { kind: 'refused', problem: 'There is no setting to be tried.' }
  if (isOfTranscripts(offered.plan.lever))
    return { kind: 'refused', problem: 'No call depends on it, so there is nothing to replay.' }
  return foreseenLater(ports, offered.plan)
}

/**
 * Applies the setting, or pins the rule, that was shown; refused where the file or the value has become another one since.
 * @param isLossWanted a pick is written all the same where it costs more by replay, or where that is not known
 */
export async function applyRemedy(
  session: string,
  finding: string,
  pick: PickName | null,
  seen: string,
  isLossWanted: boolean,
): Promise<AppliedAnswer> {
  const found = await offerFor({ session, finding, pick })
  if (found === null) return { kind: 'refused', problem: GONE }
  const { offered, ports } = found
  if (offered.kind === 'pin') return applyShownPin(offered.plan, seen)
  if (offered.kind !== 'setting' || seenOf(offered.plan) !== seen) return OTHER
  const basis = 'basis' in offered ? offered.basis : null
  if (basis !== null && !isLossWanted) {
    // The file may have no key for what saves. So a pick waits for its replay, as on the command line.
    const replayed = await foreseenLater(ports, offered.plan)
    const asked = askedAgain(foreseenFor(seen), replayed.kind === 'refused' ? replayed.problem : '')
    if (asked !== null) return asked
  }
  const foreseen = foreseenFor(seen)
  const opened = await openWriter(getSetup())
  if (!opened.ok) return { kind: 'refused', problem: opened.message }
  const { plan, preview } = offered
  const result = await applySetting(opened.writer, plan, preview, {
    ...BY_PAGE,
    basis,
    foreseen,
  })
  if (result.kind === 'done' && foreseen === null) foreseenFollows(seen, result.receipt.id)
  return answerOf(result, preview.measure?.words ?? '')
}

/** Writes the line that was shown, and no other. */
async function applyShownPin(plan: PinPlan, seen: string): Promise<AppliedAnswer> {
  const rule = plan.rules.find(({ code }) => code === seen)
  if (rule === undefined) return OTHER
  const opened = await openWriter(getSetup())
  if (!opened.ok) return { kind: 'refused', problem: opened.message }
  return answerOf(await applyPin(opened.writer, plan, rule, BY_PAGE), '')
}

/** @param watch what shows whether it helps; '': nothing does */
function answerOf(result: WriteResult, watch: string): AppliedAnswer {
  switch (result.kind) {
    case 'done':
      return { kind: 'applied', receipt: result.receipt.id, notes: result.notes, watch }
    case 'unchanged':
      return { kind: 'unchanged' }
    case 'refused':
      return { kind: 'refused', problem: result.refusal.message }
  }
}

function pinOffer({ finding, file, before, rules, left, reach, source }: PinPlan): RemedyOffer {
  const session = finding.concerns.transcriptId ?? ''
  return {
    ...{ kind: 'pin', file, left, reach, source },
    rules: rules.map(({ line, text, code, saidIn, saidAt }) => ({
      line,
      said: { line: saidIn, at: saidAt, href: `/sessions/${session}/transcript?line=${saidIn}` },
      diff: patchLines(settingDiff(file, before, text)),
      seen: code,
    })),
  }
}

async function offerFor({ session, finding, pick }: Asked): Promise<{
  readonly ports: RemedyPorts
  readonly offered: OfferedRemedy | (OfferedTuned & { readonly tuning: null })
} | null> {
  const context = await openRemedyContext(session)
  if (context === null) return null
  const { ports, own } = context
  const named = readTunedId(finding)
  if (named !== null) {
    const offered = await offerTuned(ports, own, { ...named, finding: null, most: MOST_TRIED })
    return { ports, offered: { ...offered, tuning: null } }
  }
  const now = Date.now()
  const examined =
    (await examineStoreFinding(getSetup(), ports, finding, now)) ??
    (await examineFinding(ports, own, finding, now))
  if (examined === null) return null
  if (pick === null) return { ports, offered: await offerRemedy(ports, examined, MOST_TRIED) }
  const asked = { experiment: null, pick, finding: examined.finding, most: MOST_TRIED }
  return { ports, offered: { ...(await offerTuned(ports, own, asked)), tuning: null } }
}

/** Settings that would cure it as well are set from the command line. */
function otherWays(finding: string, keys: readonly string[]): readonly string[] {
  return keys.map((key) => `Another way: plimsoll findings apply ${finding} --key ${key}`)
}

function changeOf({ path, from, to }: ValueEdit): string {
  return `${path.join('.')}: ${from === undefined ? 'not set' : JSON.stringify(from)} → ${JSON.stringify(to)}`
}
