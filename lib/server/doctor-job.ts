import 'server-only'
import { checkTranscript } from '../engine/check-transcript'
import { headerByDoctor } from '../engine/header-by-doctor'
import type { JobKind, JobOutcome } from '../engine/job-ports'
import type { DatabasePlace, OpenClawCommands } from '../engine/openclaw-commands'
import type { FoundStore, FoundTranscript } from '../engine/ports'
import { reportedWait } from '../engine/reported-writer'
import { transcriptLines } from '../engine/transcript-lines'
import { formatQuantity } from '../view/format'
import { cleanPorts, openCommands } from '../wire/gateway'
import { databasePlaceOf } from '../wire/maintenance'
import { inspectPorts } from '../wire/transcript-check'
import { openWriter } from '../wire/writer'
import { sourceOf } from './entry-source'
import { getSession } from './session-record'
import { getSetup } from './setup'

export type DoctorParams = {
  /** Id of the session as URLs carry it, and its name for a reader. */
  readonly session: string
  readonly name: string
}

/** How long it waits for a turn that somebody runs: a reader waits for the answer. Milliseconds. */
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
    const found = doctorFor(store, transcript)
    if (found === null)
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
    const result = await headerByDoctor(cleanPorts(found.commands, opened.writer), {
      place: found.place,
      sessionId: transcript.sessionId,
      session: transcript.key ?? transcript.sessionId,
      actor: 'dashboard',
      hasHeader,
      wait: reportedWait(context, WAIT_MS),
      signal: context.signal,
      onReceipt: context.underReceipt,
    })
    switch (result.kind) {
      case 'refused': {
        const { code, message } = result.refusal
        return { kind: code === 'stopped' ? 'stopped' : 'refused', message }
      }
      case 'unverified':
        throw new Error(result.message)
      case 'done': {
        const also =
          result.others === 0
            ? ''
            : ` ${formatQuantity(result.others, 'other transcript')} got theirs as well.`
        const message = `OpenClaw’s doctor wrote the header; every other row of the database is as it was.${also}`
        return { kind: 'done', message: [message, ...result.notes].join(' '), receipt: result.receipt.id }
      }
    }
  },
}

/** The command that can write a header into the database that a session stands in; null where there is none. */
export function doctorFor(
  store: FoundStore,
  transcript: FoundTranscript,
): { readonly place: DatabasePlace; readonly commands: OpenClawCommands } | null {
  if (store.era !== 'sqlite' || transcript.path.includes('.sqlite#')) return null
  const commands = openCommands(getSetup(), process.env)
  const place = databasePlaceOf(store, transcript.path)
  return commands === null || place === null ? null : { place, commands }
}
