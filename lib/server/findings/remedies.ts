import 'server-only'
import { createHash } from 'node:crypto'
import { openRemedies } from '../../compose/remedies'
import { openWriter } from '../../compose/writer'
import { applyPin } from '../../engine/findings/apply-pin'
import { applySetting } from '../../engine/findings/apply-setting'
import { examineFinding } from '../../engine/findings/examine-finding'
import type { PinPlan } from '../../engine/findings/offer-pin'
import { type OfferedRemedy, offerRemedy } from '../../engine/findings/offer-remedy'
import type { SettingPlan } from '../../engine/findings/plan-remedy'
import type { StoredTranscript } from '../../engine/read/sessions-once'
import type { WriteResult } from '../../engine/write/receipt'
import { previewLines } from '../../view/findings/preview-words'
import type { AppliedAnswer, RemedyOffer } from '../../view/findings/remedy-answers'
import { patchLines, settingDiff } from '../../view/findings/setting-diff'
import { getSetup } from '../process/setup'
import { getSession } from '../session/session-record'
import { findStoresForPage } from '../stores/found-stores'

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

/** What can be done about a finding. Writes nothing. @param session id as addresses carry it */
export async function getRemedy(session: string, finding: string): Promise<RemedyOffer> {
  const offered = await offerFor(session, finding)
  if (offered === null) return { kind: 'refused', problem: GONE }
  if (offered.kind === 'none') return offered
  if (offered.kind === 'command') {
    const { words, argv, others } = offered
    return { kind: 'command', words, command: argv.join(' '), others }
  }
  if (offered.kind === 'pin') return pinOffer(offered.plan)
  const { plan, preview } = offered
  const { file, edit, before, why, assumed } = plan
  return {
    ...{ kind: 'setting', file, why, assumed, key: edit.path.join('.') },
    from: edit.from === undefined ? 'not set' : JSON.stringify(edit.from),
    to: JSON.stringify(edit.to),
    diff: patchLines(settingDiff(file, before, edit.text)),
    tried: previewLines(preview),
    seen: seenOf(plan),
  }
}

/** Applies the setting, or pins the rule, that was shown; refused where the file or the value has become another one since. */
export async function applyRemedy(session: string, finding: string, seen: string): Promise<AppliedAnswer> {
  const offered = await offerFor(session, finding)
  if (offered === null) return { kind: 'refused', problem: GONE }
  if (offered.kind === 'pin') return applyShownPin(offered.plan, seen)
  if (offered.kind !== 'setting' || seenOf(offered.plan) !== seen) return OTHER
  const opened = await openWriter(getSetup())
  if (!opened.ok) return { kind: 'refused', problem: opened.message }
  const { plan, preview } = offered
  const result = await applySetting(opened.writer, plan, preview, BY_PAGE)
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

async function offerFor(session: string, finding: string): Promise<OfferedRemedy | null> {
  const known = await getSession(session)
  if (known === null) return null
  const setup = getSetup()
  const { stores, reader } = await findStoresForPage(setup)
  const store = stores.find(({ id }) => id === known.store.id)
  if (store === undefined) return null
  const listed: StoredTranscript[] = []
  for await (const transcript of reader.list(store)) listed.push({ store, transcript })
  const own = listed.find(({ transcript }) => transcript.id === session)
  if (own === undefined) return null
  const ports = await openRemedies(setup, stores, reader, listed)
  const examined = await examineFinding(ports, own, finding, Date.now())
  return examined === null ? null : offerRemedy(ports, examined, MOST_TRIED)
}

/** Equal: the same file with the same text, and the same change of it. */
function seenOf({ file, hash, edit }: SettingPlan): string {
  return createHash('sha256')
    .update(JSON.stringify([file, hash, edit.text]))
    .digest('hex')
}
