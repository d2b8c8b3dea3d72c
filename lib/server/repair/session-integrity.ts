import 'server-only'
import { doctorOf } from '../../compose/doctor'
import { whoWorksWith } from '../../compose/session-owner'
import { inspectPorts } from '../../compose/transcript-check'
import { checkForRepair } from '../../engine/repair/check-for-repair'
import { repairSubject } from '../../engine/repair/repair-subject'
import { checkRules } from '../../engine/write/check-transcript'
import { uncheckedReason } from '../../engine/write/writable'
import { type IntegrityView, integrityView, type RepairAnswer } from '../../view/repair/integrity'
import { sessionTitle } from '../../view/session/session-title'
import { runJob } from '../jobs/jobs'
import { getSetup } from '../process/setup'
import { sourceOf } from '../session/entry-source'
import { getSession } from '../session/session-record'

/** Entries of a plan that are shown. */
const SHOWN_STEPS = 100

export type IntegrityAnswer =
  | { readonly kind: 'checked'; readonly view: IntegrityView }
  | { readonly kind: 'unreadable'; readonly problem: string }
  /** Of a runtime whose rules are not known here; `unreadable`: lines that are no JSON. */
  | { readonly kind: 'unchecked'; readonly why: string; readonly unreadable: number }

/** Looks through a session's transcript as it is now; null when there is no such session. Nothing is written. */
export async function getIntegrity(id: string): Promise<IntegrityAnswer | null> {
  const session = await getSession(id)
  if (!session) return null
  const { reader, store, transcript } = sourceOf(session)
  const unchecked = uncheckedReason(store)
  if (unchecked !== null) return { kind: 'unchecked', why: unchecked, unreadable: session.unreadable }
  const subject = repairSubject(reader, store, transcript)
  const found = await checkForRepair(inspectPorts, subject, {
    rules: checkRules(store.kind, 'late'),
    steps: SHOWN_STEPS,
  })
  if (found.kind === 'refused') return { kind: 'unreadable', problem: found.refusal.message }
  const { check, state, steps, readOnly } = found
  const isFile = subject.kind === 'file'
  const facts = {
    path: session.path,
    steps,
    hash: state?.hash ?? null,
    readOnly,
    byDoctor:
      check.kind === 'headless' && doctorOf(getSetup(), process.env, store, transcript).kind === 'ready',
    owner: isFile ? await whoWorksWith(getSetup(), subject.target) : null,
    imported: isFile && store.kind === 'openclaw',
  }
  return { kind: 'checked', view: integrityView(check, facts) }
}

/**
 * Repairs the transcript that was shown, as a job; `hash` is that of the file which the page showed.
 */
export async function repairSession(id: string, hash: string): Promise<RepairAnswer> {
  const session = await getSession(id)
  if (!session) return { kind: 'refused', problem: 'There is no such session any more.' }
  const job = await runJob('repair', { session: id, name: sessionTitle(session), hash })
  if (job.state !== 'done') return { kind: 'refused', problem: job.message ?? job.state }
  if (job.receipt === null) return { kind: 'unchanged' }
  // As the job left it (engine/write-outcome.ts).
  const { backup, notes } = job.result as { backup: string | null; notes: readonly string[] }
  return { kind: 'repaired', receipt: job.receipt, backup, notes }
}

/** Has OpenClaw's own doctor write the header that a session in its database lacks, as a job. */
export async function doctorSession(id: string): Promise<RepairAnswer> {
  const session = await getSession(id)
  if (!session) return { kind: 'refused', problem: 'There is no such session any more.' }
  const job = await runJob('doctor', { session: id, name: sessionTitle(session) })
  const words = job.message ?? job.state
  if (job.state !== 'done' || job.receipt === null) return { kind: 'refused', problem: words }
  return { kind: 'by-openclaw', receipt: job.receipt, words }
}
