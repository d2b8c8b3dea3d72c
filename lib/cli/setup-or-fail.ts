import { readSetup, type Setup } from '../wire'
import { CliError, EXIT, type Io } from './io'

/** Environment and settings of this run. A bad value ends the command with what is wrong and where. */
export function setupOrFail(io: Io): Setup {
  const result = readSetup(io.env, io.cwd)
  if (!result.ok) throw new CliError(EXIT.usage, result.problems.join('\n'), { problems: result.problems })
  return result.setup
}

/** A database that cannot be used: refused when it is another version's, unreadable otherwise. */
export function databaseRefusal({ reason, message }: { reason: string; message: string }): CliError {
  return new CliError(reason === 'failed' ? EXIT.unreadable : EXIT.refused, message, { reason })
}
