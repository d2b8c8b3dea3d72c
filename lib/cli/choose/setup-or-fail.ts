import { readSetupAnyway } from '../../compose/lenient-setup'
import type { Setup } from '../../compose/open'
import { type Environment, readEnvironment } from '../../config/env'
import { CliError, EXIT, type Io } from '../io'
import { note } from '../print/output'

/** The environment alone, for verbs that must not depend on a settings file. @throws CliError for a bad variable */
export function environmentOrFail(io: Io): Environment {
  const read = readEnvironment(io.env, io.cwd)
  if (!read.ok) throw new CliError(EXIT.usage, read.problems.join('\n'), { problems: read.problems })
  return read.environment
}

/** Environment and settings of this run. A bad value ends the command with what is wrong and where. */
export function setupOrFail(io: Io): Setup {
  const result = readSetupAnyway(io.env, io.cwd)
  const { problems } = result
  if (!result.ok) throw new CliError(EXIT.usage, problems.join('\n'), { problems })
  const exit = result.refused ? EXIT.refused : EXIT.unreadable
  if (problems.length > 0) throw new CliError(exit, problems.join('\n'), { problems })
  notePassedOver(io, result.setup)
  return result.setup
}

/** A verb may read its setup several times; it says once what it passed over. */
const NOTED = new WeakSet<Io>()

/** Says on standard error why a settings file in the working folder is not obeyed. */
export function notePassedOver(io: Io, { passedOver }: Setup): void {
  // What `serve` starts leaves it to `serve`.
  if (passedOver === null || NOTED.has(io) || io.env.PLIMSOLL_CHILD) return
  NOTED.add(io)
  void note(io, passedOver)
}

/** The same for the dashboard, which goes on with a broken settings file and says so: it can be mended there. */
export async function setupWithWarnings(io: Io): Promise<Setup> {
  const result = readSetupAnyway(io.env, io.cwd)
  if (!result.ok) throw new CliError(EXIT.usage, result.problems.join('\n'), { problems: result.problems })
  notePassedOver(io, result.setup)
  for (const problem of result.problems) await note(io, problem)
  if (result.problems.length > 0) {
    await note(
      io,
      'Defaults are used for what cannot be read; the file can be fixed on the dashboard’s Policies page.',
    )
  }
  return result.setup
}

/** A database that cannot be used: refused when it is another version's, unreadable otherwise. */
export function databaseRefusal({ reason, message }: { reason: string; message: string }): CliError {
  return new CliError(reason === 'failed' ? EXIT.unreadable : EXIT.refused, message, { reason })
}
