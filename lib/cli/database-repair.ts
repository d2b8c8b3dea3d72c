import { checkTranscript } from '../engine/check-transcript'
import { headerByDoctor } from '../engine/header-by-doctor'
import { formatQuantity } from '../view/format'
import { cleanPorts, openCommands } from '../wire/gateway'
import { databasePlaceOf } from '../wire/maintenance'
import { lookPorts } from '../wire/transcript-look'
import { CliError, EXIT, type ExitCode, type Io } from './io'
import { openWriterOrFail, patiently } from './open-writer'
import { note, write, writeJson } from './output'
import type { RepairOptions } from './repair-report'
import type { RepairSource } from './repair-source'
import { setupOrFail } from './setup-or-fail'
import { toTerminal } from './terminal-text'

/** Repairs what OpenClaw has a command for, in a transcript that only OpenClaw itself may write. */
export async function repairInDatabase(
  io: Io,
  options: RepairOptions,
  { file, why, headless, lines, listed }: Extract<RepairSource, { kind: 'read-only' }>,
): Promise<ExitCode> {
  const { store, transcript } = listed
  const check = () => checkTranscript(lines(), lookPorts, options.rules)
  const { ok, kind } = await check()
  if (ok) {
    if (options.json) await writeJson(io, { receipt: null, file, findings: 0, nothing: NOTHING })
    else await write(io.stdout, `${NOTHING}\n`)
    return EXIT.done
  }
  if (kind !== 'headless' || store.era !== 'sqlite' || transcript.path.includes('#'))
    throw new CliError(EXIT.refused, why, { reason: 'not-supported' })
  const setup = setupOrFail(io)
  const commands = openCommands(setup, io.env)
  if (commands === null) {
    const message = `${headless} Name OpenClaw's command in the settings (gateway: { command: openclaw }), or run it yourself.`
    throw new CliError(EXIT.refused, message, { reason: 'not-supported' })
  }
  if (!options.doctor) {
    const message = `${headless} To have that run from here and this transcript verified, add --doctor.`
    throw new CliError(EXIT.refused, message, { reason: 'not-supported' })
  }
  const place = databasePlaceOf(store, transcript.path)
  if (place === null) throw new CliError(EXIT.refused, `${file} is no database of an agent in this store.`)
  const session = transcript.key ?? transcript.sessionId
  const result = await headerByDoctor(cleanPorts(commands, await openWriterOrFail(io, setup)), {
    place,
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
      const also = others === 0 ? '' : ` ${formatQuantity(others, 'other transcript')} got theirs as well.`
      if (options.json) await writeJson(io, json)
      else
        await write(
          io.stdout,
          `OpenClaw's doctor wrote the header of ${toTerminal(session)}; every other row of the database is as it was.${also} Receipt ${receipt.id}. It cannot be undone from here.\n`,
        )
      return EXIT.done
    }
  }
}

const NOTHING = 'Nothing changed: there is nothing to repair.'
