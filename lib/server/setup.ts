import 'server-only'
import { readSetup, type Setup } from '../wire'

/** The environment or the settings file is wrong; the message names variable or key, and what is allowed. */
export class SetupError extends Error {
  readonly code = 'SETUP'
}

/**
 * Environment and settings as they are now.
 * @throws SetupError
 */
export function getSetup(): Setup {
  const read = readSetup(process.env, process.cwd())
  if (!read.ok) throw new SetupError(read.problems.join('\n'))
  return read.setup
}
