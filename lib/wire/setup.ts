import type { Environment } from '../config/env'
import type { Settings } from '../config/settings'

/** Environment variables as the process got them. */
export type Variables = Readonly<Record<string, string | undefined>>

/** Environment and settings file together: all that the rest needs to know. */
export type Setup = {
  readonly environment: Environment
  readonly settings: Settings
  /** The settings file that was read; null when there is none. */
  readonly settingsFile: string | null
  readonly warnings: readonly string[]
}
