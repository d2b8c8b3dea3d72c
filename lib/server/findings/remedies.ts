import 'server-only'
import { createHash } from 'node:crypto'
import { openRemedies } from '../../compose/remedies'
import { openWriter } from '../../compose/writer'
import { applySetting } from '../../engine/findings/apply-setting'
import { examineFinding } from '../../engine/findings/examine-finding'
import { type OfferedRemedy, offerRemedy } from '../../engine/findings/offer-remedy'
import type { SettingPlan } from '../../engine/findings/plan-remedy'
import type { StoredTranscript } from '../../engine/read/sessions-once'
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

/** Applies the setting that was shown; refused where the file or the value has become another one since. */
export async function applyRemedy(session: string, finding: string, seen: string): Promise<AppliedAnswer> {
  const offered = await offerFor(session, finding)
  if (offered === null) return { kind: 'refused', problem: GONE }
  if (offered.kind !== 'setting' || seenOf(offered.plan) !== seen)
    return {
      kind: 'refused',
      problem:
        'The file, or the value that was worked out, is not the one that was shown any more. Look at it again.',
    }
  const opened = await openWriter(getSetup())
  if (!opened.ok) return { kind: 'refused', problem: opened.message }
  const { plan, preview } = offered
  const result = await applySetting(opened.writer, plan, preview, {
    actor: 'dashboard',
    wait: { waitMs: WAIT_MS },
  })
  switch (result.kind) {
    case 'done':
      return {
        kind: 'applied',
        receipt: result.receipt.id,
        notes: result.notes,
        watch: preview.measure?.words ?? '',
      }
    case 'unchanged':
      return { kind: 'unchanged' }
    case 'refused':
      return { kind: 'refused', problem: result.refusal.message }
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
