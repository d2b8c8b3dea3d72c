import { readSetupAnyway } from '../compose/lenient-setup'
import type { Setup, Variables } from '../compose/setup'

export type SetupResult =
  | { readonly ok: true; readonly setup: Setup }
  | { readonly ok: false; readonly problems: readonly string[] }

/** Reads environment and settings; a broken settings file is no setup. */
export function readSetup(variables: Variables, cwd: string): SetupResult {
  const read = readSetupAnyway(variables, cwd)
  if (!read.ok) return read
  const { setup, problems } = read
  return problems.length > 0 ? { ok: false, problems } : { ok: true, setup }
}
