import type { Setup } from '../wire'
import { readSetupAnyway } from '../wire/lenient-setup'
import { CliError, EXIT, type Io } from './io'
import { note } from './output'

/** Environment and settings of this run. A bad value ends the command with what is wrong and where. */
export function setupOrFail(io: Io): Setup {
  const result = readSetupAnyway(io.env, io.cwd)
  const { problems } = result
  if (!result.ok) throw new CliError(EXIT.usage, problems.join('\n'), { problems })
  if (problems.length > 0) throw new CliError(EXIT.unreadable, problems.join('\n'), { problems })
  return result.setup
}

/** The same for the dashboard, which goes on with a broken settings file and says so: it can be mended there. */
export async function setupWithWarnings(io: Io): Promise<Setup> {
  const result = readSetupAnyway(io.env, io.cwd)
  if (!result.ok) throw new CliError(EXIT.usage, result.problems.join('\n'), { problems: result.problems })
  for (const problem of result.problems) await note(io, problem)
  if (result.problems.length > 0) {
    await note(
      io,
      'Defaults stand in for what cannot be read; the dashboard’s Policies page can mend the file.',
    )
  }
  return result.setup
}

/** A database that cannot be used: refused when it is another version's, unreadable otherwise. */
export function databaseRefusal({ reason, message }: { reason: string; message: string }): CliError {
  return new CliError(reason === 'failed' ? EXIT.unreadable : EXIT.refused, message, { reason })
}
