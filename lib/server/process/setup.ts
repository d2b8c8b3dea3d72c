import 'server-only'
import { readSetupAnyway } from '../../compose/lenient-setup'
import type { Setup } from '../../compose/open'

/** The environment is wrong, or a file cannot be read; the message names variable or file, and what is allowed. */
export class SetupError extends Error {
  readonly code = 'SETUP'
}

/**
 * Environment and settings as they are now. Defaults replace what cannot be read of a broken settings file: every
 * page says what is wrong with it (`getFileFaults`).
 * @throws SetupError
 */
export function getSetup(): Setup {
  return read().setup
}

/** What is wrong with the settings file, as messages that name it; empty when nothing is. @throws SetupError */
export function getSettingsProblems(): readonly string[] {
  return read().problems
}

function read() {
  const result = readSetupAnyway(process.env, process.cwd())
  if (!result.ok) throw new SetupError(result.problems.join('\n'))
  return result
}
