import { setTimeout as wait } from 'node:timers/promises'
import { stampFiles } from '../adapters/policy/policy-files'
import { readEnvironment } from '../config/env'
import { loadSettings } from '../config/settings'
import { trustFile } from '../config/trust'
import type { Setup, Variables } from './setup'

export type LenientSetup =
  | {
      readonly ok: true
      readonly setup: Setup
      /** What is wrong with the settings file; empty when it could be read. */
      readonly problems: readonly string[]
      /** The file may not be obeyed, whatever it holds. */
      readonly refused: boolean
    }
  /** The environment itself is wrong: nothing replaces it. */
  | { readonly ok: false; readonly problems: readonly string[] }

/**
 * Environment and settings for those who go on when the settings file is broken: the dashboard, where it can be mended,
 * and the reader of stores beside it. What cannot be read of the file has its default.
 *
 * Who may look at the dashboard does not depend on this file: address and token come from the environment and the
 * command line alone, and without them only this machine is answered.
 */
export function readSetupAnyway(variables: Variables, cwd: string): LenientSetup {
  const read = readEnvironment(variables, cwd)
  if (!read.ok) return read
  const { environment } = read
  const { configFile, configFolder, userHome, home, startedIn } = environment
  const loaded = loadSettings({ explicit: configFile, cwd: startedIn ?? cwd, configFolder, userHome, home })
  const { settings, file, origin, refused, passedOver } = loaded
  const warnings = loaded.ok ? loaded.warnings : []
  const problems = loaded.ok ? [] : loaded.problems
  const setup = { environment, settings, settingsFile: file, settingsOrigin: origin, passedOver, warnings }
  return { ok: true, setup, problems, refused }
}

/** How often the settings file is examined. Milliseconds; a check costs microseconds. */
const CHECK_MS = 1000

/** Resolves when the settings name other stores, prices or an archive other than `setup` does, or when `signal` aborts. */
export async function untilOtherStores(
  setup: Setup,
  variables: Variables,
  cwd: string,
  signal: AbortSignal,
): Promise<void> {
  const before = readWith(setup)
  let stamp: string | null = null
  while (!signal.aborted) {
    const now = storesIfChanged(setup, stamp, variables, cwd)
    if (now.stores !== null && now.stores !== before) return
    stamp = now.stamp
    await wait(CHECK_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

/** Of the settings what the reader of stores was started with. */
function readWith({ settings: { stores, prices, archive } }: Setup): string {
  return JSON.stringify({ stores, prices, archive })
}

function storesIfChanged(
  { settingsFile, environment }: Setup,
  stamp: string | null,
  variables: Variables,
  cwd: string,
): { readonly stamp: string | null; readonly stores: string | null } {
  // A file that is not there yet may come at any of several places, so that looking is reading.
  const current = settingsFile === null ? null : stampFiles([settingsFile, trustFile(environment.home)])
  if (current !== null && current === stamp) return { stamp, stores: null }
  const read = readSetupAnyway(variables, cwd)
  // A file that is broken for a moment, during a write, says nothing about stores.
  const whole = read.ok && read.problems.length === 0
  return { stamp: current, stores: whole ? readWith(read.setup) : null }
}
