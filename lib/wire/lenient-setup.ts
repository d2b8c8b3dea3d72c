import { setTimeout as wait } from 'node:timers/promises'
import { stampFiles } from '../adapters/policy-files'
import { readEnvironment } from '../config/env'
import { loadSettings } from '../config/settings'
import type { Setup, Variables } from '../wire'

export type LenientSetup =
  | {
      readonly ok: true
      readonly setup: Setup
      /** What is wrong with the settings file; empty when it could be read. */
      readonly problems: readonly string[]
    }
  /** The environment itself is wrong: nothing stands in for it. */
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
  const { configFile, configFolder, userHome } = environment
  const loaded = loadSettings({ explicit: configFile, cwd, configFolder, userHome })
  const { settings, file } = loaded
  const warnings = loaded.ok ? loaded.warnings : []
  const problems = loaded.ok ? [] : loaded.problems
  return { ok: true, setup: { environment, settings, settingsFile: file, warnings }, problems }
}

/** How often the settings file is looked at. Milliseconds; a look costs microseconds. */
const LOOK_MS = 1000

/** Resolves when the settings name other stores than `setup` does, or when `signal` aborts. */
export async function untilOtherStores(
  setup: Setup,
  variables: Variables,
  cwd: string,
  signal: AbortSignal,
): Promise<void> {
  const before = JSON.stringify(setup.settings.stores)
  let stamp: string | null = null
  while (!signal.aborted) {
    const now = storesIfChanged(setup, stamp, variables, cwd)
    if (now.stores !== null && now.stores !== before) return
    stamp = now.stamp
    await wait(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

function storesIfChanged(
  { settingsFile }: Setup,
  stamp: string | null,
  variables: Variables,
  cwd: string,
): { readonly stamp: string | null; readonly stores: string | null } {
  // A file that is not there yet may come at any of several places, so that looking is reading.
  const current = settingsFile === null ? null : stampFiles([settingsFile])
  if (current !== null && current === stamp) return { stamp, stores: null }
  const read = readSetupAnyway(variables, cwd)
  // A file that is broken for a moment, while somebody writes it, says nothing about stores.
  const whole = read.ok && read.problems.length === 0
  return { stamp: current, stores: whole ? JSON.stringify(read.setup.settings.stores) : null }
}
