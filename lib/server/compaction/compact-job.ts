import 'server-only'
import { runPorts } from '../../compose/compaction'
import { openWriter } from '../../compose/writer'
import { ownerOf } from '../../core/transcript/mirror'
import { COMPACTION_STEPS, type CompactionStep } from '../../engine/compaction/compaction-ports'
import { type RunResult, runCompaction } from '../../engine/compaction/run-compaction'
import type { JobKind, JobOutcome } from '../../engine/jobs/job-ports'
import { reportedWait, reportedWriter } from '../../engine/jobs/reported-writer'
import { Refused } from '../../engine/write/refusal'
import { gatewaySentence, ownSentence } from '../../view/compaction/outcome'
import { readPlanKnobs } from '../../view/compaction/plan-knobs'
import { trialPolicy } from '../../view/policy/policy-trial'
import { formatCount, formatQuantity } from '../../view/text/format'
import { getSessionPolicy } from '../policy/session-policy'
import { getSetup } from '../process/setup'
import { transcriptPlace } from '../session/inspected-session'
import { getSession } from '../session/session-record'
export type CompactParams = {
  /** Id of the session as URLs carry it, and its name for a reader. */
  readonly session: string
  readonly name: string
  /** The knobs as an address carries them (`planKnobsSearch`). */
  readonly knobs: string
  /** First entry that stays, by the plan that was shown. */
  readonly firstKept: string
}

const WAIT_MS = 60_000

const DOING: { readonly [S in CompactionStep]: string } = {
  lock: 'Taking the lock',
  check: 'Looking for damage',
  load: 'Reading the transcript',
  plan: 'Planning',
  release: 'Giving the lock back',
  hooks: 'Running hooks',
  summarise: 'Writing the summary',
  compare: 'Reading the transcript again',
  write: 'Adding the record',
  log: 'Noting it in the log',
}

/** Compacts a session by the plan that was shown. */
export const compactJob: JobKind<CompactParams> = {
  describe: ({ session, name }) => ({
    title: `Compact ${name}`,
    lane: session,
    sessionId: session,
    storeId: null,
  }),
  run: async ({ session: id, knobs: search, firstKept }, context): Promise<JobOutcome> => {
    const session = await getSession(id)
    const inForce = await getSessionPolicy(id)
    if (session === null || inForce === null)
      return { kind: 'refused', message: 'There is no such session any more.' }
    const { reader, store, transcript } = transcriptPlace(session)
    const setup = getSetup()
    const knobs = readPlanKnobs(Object.fromEntries(new URLSearchParams(search)))
    let at = -1
    const doing = (text: string) =>
      context.report({ done: Math.max(0, at), of: COMPACTION_STEPS.length, doing: text })
    const reported = { ...context, report: ({ doing: text }: { readonly doing: string }) => doing(text) }
    const ports = runPorts(setup, process.env, reader, async () => {
      const opened = await openWriter(setup)
      if (!opened.ok) throw new Refused('failed', opened.message)
      return reportedWriter(opened.writer, reported)
    })
    const outcome = await runCompaction(ports, {
      store,
      transcript,
      owner: ownerOf(transcript.index, { provider: session.provider }),
      runsOn: session,
      policy: trialPolicy(inForce.policy, knobs.base, knobs.changes),
      focus: knobs.focus === '' ? null : knobs.focus,
      digest: knobs.digest,
      actor: 'dashboard',
      firstKept,
      wait: reportedWait(reported, WAIT_MS),
      signal: context.signal,
      onGateway: () => context.report({ done: 0, of: 1, doing: 'Waiting for OpenClaw’s gateway' }),
      onStep: (step) => {
        // Steps without anything to do are passed over; `lock`, `release` and `hooks` come twice.
        at = Math.max(at + 1, COMPACTION_STEPS.indexOf(step, at + 1))
        doing(DOING[step])
      },
      onLongWait: (ahead) => doing(`Waiting for ${formatQuantity(ahead, 'other compaction')}`),
      onProgress: (done, of) =>
        doing(`Asking the model: request ${formatCount(done)} of ${formatCount(of)} answered`),
    })
    return jobOutcome(outcome)
  },
}

function jobOutcome(outcome: RunResult): JobOutcome {
  if (outcome.by === null) return { kind: 'refused', message: outcome.why }
  if (outcome.by === 'gateway') {
    const { result } = outcome
    const message = gatewaySentence(result)
    if (result.kind === 'unverified') throw new Error(message)
    if (result.kind === 'failed') return { kind: 'refused', message }
    if (result.kind === 'stopped') return { kind: 'stopped', message }
    const written = result.kind === 'compacted' ? { result: { record: result.recordId } } : {}
    return { kind: 'done', message, receipt: null, ...written }
  }
  const { result } = outcome
  const message = ownSentence(result)
  switch (result.kind) {
    case 'nothing':
      return { kind: 'done', message, receipt: null }
    case 'stopped':
      return { kind: 'stopped', message }
    case 'refused':
      return { kind: result.refusal.code === 'stopped' ? 'stopped' : 'refused', message }
    case 'compacted': {
      const { receipt, recordId, notes } = result
      return {
        kind: 'done',
        message: [message, ...notes].join(' '),
        receipt: receipt.id,
        result: { record: recordId },
      }
    }
  }
}
