import 'server-only'
import type { JobKind, JobOutcome } from '../engine/job-ports'
import { Refused } from '../engine/refusal'
import { repairTarget } from '../engine/repair-target'
import { repairTranscript } from '../engine/repair-transcript'
import { reportedWait, reportedWriter, WRITE_STEPS } from '../engine/reported-writer'
import { writeOutcome } from '../engine/write-outcome'
import { formatQuantity } from '../view/format'
import { inspectPorts } from '../wire/transcript-check'
import { openWriter } from '../wire/writer'
import { sourceOf } from './entry-source'
import { getSession } from './session-record'
import { getSetup } from './setup'

export type RepairParams = {
  /** Id of the session as URLs carry it, and its name for a reader. */
  readonly session: string
  readonly name: string
  /** SHA-256 of the file that somebody looked at; null: whatever it is. */
  readonly hash: string | null
}

/** How long it waits for somebody else's lock before it says who has it: a reader waits for the answer. Milliseconds. */
const WAIT_MS = 5_000

/** Puts right what is wrong with a transcript. */
export const repairJob: JobKind<RepairParams> = {
  describe: ({ session, name }) => ({
    title: `Repair ${name}`,
    lane: session,
    sessionId: session,
    storeId: null,
  }),
  run: async ({ session: id, hash }, context): Promise<JobOutcome> => {
    const session = await getSession(id)
    if (!session) return { kind: 'refused', message: 'There is no such session any more.' }
    const { store, transcript } = sourceOf(session)
    const found = repairTarget(store, transcript)
    if (found.kind === 'read-only') return { kind: 'refused', message: found.why }
    const opened = await openWriter(getSetup())
    if (!opened.ok) return { kind: 'refused', message: opened.message }
    context.report({ done: 0, of: WRITE_STEPS, doing: 'Looking through the transcript' })
    const pieces = (path: string) => stoppable(inspectPorts.pieces(path), context.signal)
    const { result } = await repairTranscript(
      reportedWriter(opened.writer, context),
      { ...inspectPorts, pieces },
      {
        target: found.target,
        actor: 'dashboard',
        session: session.key ?? session.sessionId,
        expectedHash: hash,
        wait: reportedWait(context, WAIT_MS),
      },
    )
    return writeOutcome(result, {
      done: ({ summary }) =>
        `Repaired and verified: ${formatQuantity(Number(summary.findings ?? 0), 'finding')}.`,
      unchanged: 'Nothing changed: nothing was found that has to be repaired.',
    })
  },
}

/** @throws Refused when the signal aborts */
async function* stoppable(pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncIterable<Uint8Array> {
  for await (const piece of pieces) {
    if (signal.aborted) throw new Refused('stopped', 'Stopped before anything was changed.')
    yield piece
  }
}
