import { readSetup, type Setup } from '../wire'
import { CliError, EXIT, type Io } from './io'

/** Environment and settings of this run. A bad value ends the command with what is wrong and where. */
export function setupOrFail(io: Io): Setup {
  const result = readSetup(io.env, io.cwd)
  if (!result.ok) throw new CliError(EXIT.usage, result.problems.join('\n'), { problems: result.problems })
  return result.setup
}
