import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Environment, readEnvironment } from './config/env'
import { ensureStateFolder, migrationsFolder, StateFolderError } from './config/paths'
import { loadSettings, type Settings } from './config/settings'
import { type Database, DatabaseUrlError, databasePath, openClient } from './db/client'
import { migrate, readMigrations } from './db/migrate'

/** Environment and settings file together: all that the rest needs to know. */
export type Setup = {
  readonly environment: Environment
  readonly settings: Settings
  /** The settings file that was read; null when there is none. */
  readonly settingsFile: string | null
  readonly warnings: readonly string[]
}

export type SetupResult =
  | { readonly ok: true; readonly setup: Setup }
  | { readonly ok: false; readonly problems: readonly string[] }

/** Reads environment and settings. `configFile` (from a command line) beats the environment's. */
export function readSetup(
  variables: Readonly<Record<string, string | undefined>>,
  cwd: string,
  configFile: string | null = null,
): SetupResult {
  const environment = readEnvironment(variables, cwd)
  if (!environment.ok) return environment
  const { configFolder, userHome } = environment.environment
  const explicit = configFile ?? environment.environment.configFile
  const loaded = loadSettings({ explicit, cwd, configFolder, userHome })
  if (!loaded.ok) return loaded
  const { settings, file, warnings } = loaded
  return { ok: true, setup: { environment: environment.environment, settings, settingsFile: file, warnings } }
}

export type OpenResult =
  | { readonly ok: true; readonly database: Database }
  | {
      readonly ok: false
      /** `newer`: made by a later version; `changed`: other tables than ours; `failed`: everything else. */
      readonly reason: 'newer' | 'changed' | 'failed'
      readonly message: string
    }

/**
 * Opens the database, with all migrations applied. Calling it again in the same process answers the same database.
 * Failures are messages for the operator.
 */
export async function openDatabase(environment: Environment): Promise<OpenResult> {
  const { databaseUrl, home } = environment
  try {
    ensureStateFolder(home)
    const path = databasePath(databaseUrl)
    // A folder that the operator named for the database is made when missing, but its mode is the operator's.
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const database = openClient(databaseUrl)
    const migrated = migrate(database.connection, readMigrations(migrationsFolder()))
    if (migrated.ok) return { ok: true, database }
    await database.close()
    return migrated
  } catch (error) {
    if (error instanceof StateFolderError || error instanceof DatabaseUrlError) {
      return { ok: false, reason: 'failed', message: error.message }
    }
    const why = error instanceof Error ? error.message : String(error)
    return { ok: false, reason: 'failed', message: `The database ${databaseUrl} cannot be opened: ${why}` }
  }
}
