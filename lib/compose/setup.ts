import { join } from 'node:path'
import type { Environment } from '../config/env'
import type { Settings } from '../config/settings'
import type { SettingsOrigin } from '../config/settings-file'

/** Environment variables as the process got them. */
export type Variables = Readonly<Record<string, string | undefined>>

/** Environment and settings file together: all that the rest needs to know. */
export type Setup = {
  readonly environment: Environment
  readonly settings: Settings
  /** The settings file that was read; null when there is none. */
  readonly settingsFile: string | null
  /** Who says that it is the settings file; null when there is none. */
  readonly settingsOrigin: SettingsOrigin | null
  /** Why a settings file in the working folder is not obeyed, and what to do; null when there is none. */
  readonly passedOver: string | null
  readonly warnings: readonly string[]
}

/** The operator's settings file: the one that was read, or where it would be. Absolute path. */
export function ownSettingsPath({ settingsFile, environment }: Setup): string {
  return settingsFile ?? join(environment.configFolder, 'plimsoll.yaml')
}
