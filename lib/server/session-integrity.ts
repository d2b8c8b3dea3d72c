import 'server-only'
import { liveOwners } from '../adapters/locks/live-owners'
import { sessionLocks } from '../adapters/locks/session-locks'
import { maskSecrets } from '../core/redaction/secrets'
import type { RepairCheck } from '../core/repair/check'
import { checkTranscript } from '../engine/check-transcript'
import { inspectTranscript } from '../engine/inspect-transcript'
import { describeOwner } from '../engine/refusal'
import { repairDiff } from '../engine/repair-diff'
import { repairTarget } from '../engine/repair-target'
import { transcriptLines } from '../engine/transcript-lines'
import type { WriteTarget } from '../engine/write-requests'
import { type IntegrityStep, type IntegrityView, integrityView, type RepairAnswer } from '../view/integrity'
import { sessionTitle } from '../view/session-title'
import { inspectPorts } from '../wire/transcript-check'
import { doctorFor } from './doctor-job'
import { sourceOf } from './entry-source'
import { runJob } from './jobs'
import { getSession } from './session-record'

/** Entries of a plan that are shown. */
const SHOWN_STEPS = 100

export type IntegrityAnswer =
  | { readonly kind: 'checked'; readonly view: IntegrityView }
  | { readonly kind: 'unreadable'; readonly problem: string }

/** Looks through a session's transcript as it stands now; null when there is no such session. Nothing is written. */
export async function getIntegrity(id: string): Promise<IntegrityAnswer | null> {
  const session = await getSession(id)
  if (!session) return null
  const { reader, store, transcript } = sourceOf(session)
  const found = repairTarget(store, transcript)
  if (found.kind === 'read-only') {
    const lines = () => transcriptLines(reader, store, transcript)
    const check = await checkTranscript(lines(), inspectPorts)
    const steps = await stepsOf(check, lines())
    const headless = check.kind === 'headless'
    const facts = {
      path: session.path,
      steps,
      hash: null,
      readOnly: headless ? found.headless : found.why,
      byDoctor: headless && doctorFor(store, transcript) !== null,
      owner: null,
      imported: false,
    }
    return { kind: 'checked', view: integrityView(check, facts) }
  }
  const { target } = found
  const inspection = await inspectTranscript(inspectPorts, target.file)
  if (inspection.kind === 'refused') return { kind: 'unreadable', problem: inspection.refusal.message }
  const { check, state } = inspection
  const facts = {
    path: session.path,
    steps: await stepsOf(check, inspectPorts.pieces(await inspectPorts.files.realPath(target.file))),
    hash: state.hash,
    readOnly: null,
    byDoctor: false,
    owner: await ownerOf(target),
    imported: store.kind === 'openclaw',
  }
  return { kind: 'checked', view: integrityView(check, facts) }
}

/**
 * Repairs the transcript that was looked at, as a job; `hash` is that of the file which the page showed.
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

async function ownerOf(target: WriteTarget): Promise<string | null> {
  const owner = (await liveOwners().find(target)) ?? (await sessionLocks().owner(target.file))
  return owner === null ? null : describeOwner(owner)
}

async function stepsOf(
  { plan }: RepairCheck,
  chunks: AsyncIterable<Uint8Array>,
): Promise<readonly IntegrityStep[]> {
  if (plan.steps.length === 0) return []
  const steps = await repairDiff(chunks, plan, inspectPorts.decode, SHOWN_STEPS)
  const cover = (text: string | null) => (text === null ? null : maskSecrets(text))
  return steps.map((step) => ({ ...step, before: cover(step.before), after: cover(step.after) }))
}
