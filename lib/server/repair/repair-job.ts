import 'server-only'
import { inspectPorts } from '../../compose/transcript-check'
import { openWriter } from '../../compose/writer'
import type { JobKind, JobOutcome } from '../../engine/jobs/job-ports'
import { reportedWait, reportedWriter, WRITE_STEPS } from '../../engine/jobs/reported-writer'
import { writeOutcome } from '../../engine/jobs/write-outcome'
import { repairSubject } from '../../engine/repair/repair-subject'
import { repairTranscript } from '../../engine/repair/repair-transcript'
import { NOTHING_TO_REPAIR, repairedText } from '../../view/repair/repair-outcome'
import { getSetup } from '../process/setup'
import { sourceOf } from '../session/entry-source'
import { getSession } from '../session/session-record'

export type RepairParams = {
  /** Id of the session as URLs carry it, and its name for a reader. */
  readonly session: string
  readonly name: string
  /** SHA-256 of the file that was shown; null: whatever it is. */
  readonly hash: string | null
}

/**
 * How long it waits for another owner's lock before it says who has it: a reader waits for the answer. Milliseconds.
 */
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
    const { reader, store, transcript } = sourceOf(session)
    const subject = repairSubject(reader, store, transcript)
    if (subject.kind === 'read-only') return { kind: 'refused', message: subject.why }
    const opened = await openWriter(getSetup())
    if (!opened.ok) return { kind: 'refused', message: opened.message }
    context.report({ done: 0, of: WRITE_STEPS, doing: 'Looking through the transcript' })
    const { result } = await repairTranscript(reportedWriter(opened.writer, context), inspectPorts, {
      ...subject,
      actor: 'dashboard',
      expectedHash: hash,
      wait: reportedWait(context, WAIT_MS),
    })
    return writeOutcome(result, {
      done: ({ summary }) => repairedText(Number(summary.findings ?? 0)),
      unchanged: NOTHING_TO_REPAIR,
    })
  },
}
