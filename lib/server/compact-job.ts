import 'server-only'
import { compactSession } from '../engine/compact-session'
import { COMPACTION_STEPS, type CompactionStep } from '../engine/compaction-ports'
import type { JobKind, JobOutcome } from '../engine/job-ports'
import { reportedWait, reportedWriter } from '../engine/reported-writer'
import { nothingSentence, summaryWords } from '../view/compact-plan'
import { formatCount } from '../view/format'
import { readPlanKnobs } from '../view/plan-knobs'
import { trialPolicy } from '../view/policy-trial'
import { compactionPorts, summaryChain } from '../wire/compaction'
import { openWriter } from '../wire/writer'
import { gatewayOf, runGateway } from './gateway-compaction'
import { placeOf } from './inspected-session'
import { getSessionPolicy } from './session-policy'
import { getSession } from './session-record'
import { getSetup } from './setup'

export type CompactParams = {
  /** Id of the session as URLs carry it, and its name for a reader. */
  readonly session: string
  readonly name: string
  /** The knobs as an address carries them (`planKnobsSearch`). */
  readonly knobs: string
  /** First entry that stays, by the plan that was looked at. */
  readonly firstKept: string
}

const WAIT_MS = 60_000

const DOING: { readonly [S in CompactionStep]: string } = {
  lock: 'Taking the lock',
  repair: 'Looking at the transcript',
  prewarm: 'Looking at the transcript',
  load: 'Reading the transcript',
  sanitise: 'Planning',
  limit: 'Planning',
  compact: 'Writing the summary',
  hooks: 'Running hooks',
  diag: 'Reading the file again',
  release: 'Giving the lock back',
}

/** Compacts a session by the plan that somebody looked at. */
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
    const place = placeOf(session)
    const gateway = gatewayOf(place.store, place.transcript)
    if (gateway !== null) return runGateway(gateway, place, context)
    const opened = await openWriter(getSetup())
    if (!opened.ok) return { kind: 'refused', message: opened.message }
    const knobs = readPlanKnobs(Object.fromEntries(new URLSearchParams(search)))
    const policy = trialPolicy(inForce.policy, knobs.base, knobs.changes)
    let at = 0
    const doing = (text: string) => context.report({ done: at, of: COMPACTION_STEPS.length, doing: text })
    const writer = reportedWriter(opened.writer, { ...context, report: (progress) => doing(progress.doing) })
    const { reader, store, transcript } = place
    const result = await compactSession(compactionPorts(getSetup(), writer, reader), {
      store,
      transcript,
      policy,
      chain: knobs.digest ? null : summaryChain(policy, process.env, session),
      focus: knobs.focus === '' ? null : knobs.focus,
      digest: knobs.digest,
      actor: 'dashboard',
      manual: true,
      firstKept,
      wait: reportedWait({ ...context, report: (progress) => doing(progress.doing) }, WAIT_MS),
      signal: context.signal,
      onStep: (step) => {
        at = COMPACTION_STEPS.indexOf(step)
        doing(DOING[step])
      },
      onProgress: (done, of) =>
        doing(`Asking the model: request ${formatCount(done)} of ${formatCount(of)} answered`),
    })
    switch (result.kind) {
      case 'nothing':
        return { kind: 'done', message: nothingSentence(result), receipt: null }
      case 'stopped':
        return { kind: 'stopped', message: 'Stopped; nothing was changed.' }
      case 'refused': {
        const { code, message } = result.refusal
        return { kind: code === 'stopped' ? 'stopped' : 'refused', message }
      }
      case 'compacted': {
        const { plan, summary, receipt, notes } = result
        const { value: before } = plan.tokensBefore
        const { value: after } = plan.tokensAfter
        const sizes =
          before === null || after === null
            ? ''
            : ` ${formatCount(before)} → about ${formatCount(after)} tokens.`
        const message = [
          `Compacted and verified; the summary is ${summaryWords(summary)}.${sizes}`,
          ...notes,
        ].join(' ')
        return { kind: 'done', message, receipt: receipt.id, result: { record: result.recordId } }
      }
    }
  },
}
