import { doctorOf } from '../compose/doctor'
import { cleanPorts } from '../compose/gateway'
import { peekPorts } from '../compose/transcript-peek'
import { headerByDoctor } from '../engine/openclaw/header-by-doctor'
import type { RepairSubject } from '../engine/repair/repair-subject'
import { checkTranscript } from '../engine/write/check-transcript'
import { headerWrittenText, NOTHING_TO_REPAIR } from '../view/repair/repair-outcome'
import { setupOrFail } from './choose/setup-or-fail'
import { CliError, EXIT, type ExitCode, type Io } from './io'
import { openWriterOrFail, patiently } from './open-writer'
import { note, write, writeJson } from './print/output'
import type { RepairOptions } from './print/repair-report'
import { toTerminal } from './print/terminal-text'

/** Repairs what OpenClaw has a command for, in a transcript that only OpenClaw itself may write. */
export async function repairInDatabase(
  io: Io,
  options: RepairOptions,
  subject: Extract<RepairSubject, { kind: 'read-only' }>,
): Promise<ExitCode> {
  const { file, why, headless, lines, session, store, transcript } = subject
  const check = () => checkTranscript(lines(), peekPorts, options.rules)
  const { ok, kind } = await check()
  if (ok) {
    if (options.json) await writeJson(io, { receipt: null, file, findings: 0, nothing: NOTHING_TO_REPAIR })
    else await write(io.stdout, `${NOTHING_TO_REPAIR}\n`)
    return EXIT.done
  }
  const refuse = (message: string) => new CliError(EXIT.refused, message, { reason: 'not-supported' })
  if (kind !== 'headless') throw refuse(why)
  const setup = setupOrFail(io)
  const doctor = doctorOf(setup, io.env, store, transcript)
  if (doctor.kind === 'elsewhere') throw refuse(why)
  if (doctor.kind === 'no-command')
    throw refuse(
      `${headless} Name OpenClaw's command in the settings (gateway: { command: openclaw }), or run it yourself.`,
    )
  if (!options.doctor)
    throw refuse(`${headless} To have that run from here and this transcript verified, add --doctor.`)
  if (doctor.kind === 'no-agent')
    throw new CliError(EXIT.refused, `${file} is no database of an agent in this store.`)
  const result = await headerByDoctor(cleanPorts(doctor.commands, await openWriterOrFail(io, setup)), {
    place: doctor.place,
    sessionId: transcript.sessionId,
    session,
    actor: 'cli',
    hasHeader: async () => (await check()).kind !== 'headless',
    wait: patiently(io),
    signal: io.untilStopped(),
  })
  switch (result.kind) {
    case 'refused':
      throw new CliError(EXIT.refused, result.refusal.message, { reason: result.refusal.code })
    case 'unverified':
      throw new CliError(EXIT.fault, result.message, { reason: 'unverified', receipt: result.receipt.id })
    case 'done': {
      const { receipt, others, notes } = result
      for (const text of notes) await note(io, text)
      const json = { receipt: receipt.id, file, by: 'openclaw', verified: true, otherHeaders: others }
      if (options.json) await writeJson(io, json)
      else
        await write(
          io.stdout,
          `${toTerminal(session)}: ${headerWrittenText(others)} Receipt ${receipt.id}. It cannot be undone from here.\n`,
        )
      return EXIT.done
    }
  }
}
