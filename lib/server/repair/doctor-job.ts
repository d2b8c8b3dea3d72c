import 'server-only'
import { doctorOf } from '../../compose/doctor'
import { cleanPorts } from '../../compose/gateway'
import { inspectPorts } from '../../compose/transcript-check'
import { openWriter } from '../../compose/writer'
import type { JobKind, JobOutcome } from '../../engine/jobs/job-ports'
import { reportedWait } from '../../engine/jobs/reported-writer'
import { outsideOutcome } from '../../engine/jobs/write-outcome'
import { headerByDoctor } from '../../engine/openclaw/header-by-doctor'
import { transcriptLines } from '../../engine/read/transcript-lines'
import { checkTranscript } from '../../engine/write/check-transcript'
import { headerWrittenText } from '../../view/repair/repair-outcome'
import { getSetup } from '../process/setup'
import { sourceOf } from '../session/entry-source'
import { getSession } from '../session/session-record'

export type DoctorParams = {
  /** Id of the session as URLs carry it, and its name for a reader. */
  readonly session: string
  readonly name: string
}

/** How long it waits for a running turn: a reader waits for the answer. Milliseconds. */
const WAIT_MS = 5_000

/** Has OpenClaw's own doctor write the header that a transcript in its database lacks. */
export const doctorJob: JobKind<DoctorParams> = {
  describe: ({ session, name }) => ({
    title: `Have OpenClaw’s doctor repair ${name}`,
    lane: session,
    sessionId: session,
    storeId: null,
  }),
  run: async ({ session: id }, context): Promise<JobOutcome> => {
    const session = await getSession(id)
    if (!session) return { kind: 'refused', message: 'There is no such session any more.' }
    const { reader, store, transcript } = sourceOf(session)
    const doctor = doctorOf(getSetup(), process.env, store, transcript)
    if (doctor.kind !== 'ready')
      return { kind: 'refused', message: 'OpenClaw has no command for this session that is configured here.' }
    const opened = await openWriter(getSetup())
    if (!opened.ok) return { kind: 'refused', message: opened.message }
    const hasHeader = async () => {
      const check = await checkTranscript(transcriptLines(reader, store, transcript), inspectPorts)
      return check.kind !== 'headless'
    }
    if (await hasHeader())
      return { kind: 'done', message: 'Nothing changed: it has a header.', receipt: null }
    context.report({ done: 0, of: 1, doing: 'OpenClaw’s doctor is at it' })
    const result = await headerByDoctor(cleanPorts(doctor.commands, opened.writer), {
      place: doctor.place,
      sessionId: transcript.sessionId,
      session: transcript.key ?? transcript.sessionId,
      actor: 'dashboard',
      hasHeader,
      wait: reportedWait(context, WAIT_MS),
      signal: context.signal,
      onReceipt: context.underReceipt,
    })
    return outsideOutcome(result, ({ others }) => headerWrittenText(others))
  },
}
