import type { Connection } from './connection'
import { LocalConnection } from './sqlite/local-connection'
import { type MigrateResult, migrate, readMigrations } from './sqlite/migrate'

/** A connection to a migrated database, for one who needs no Prisma. */
export function openConnection(file: string): Connection {
  return new LocalConnection(file)
}

export type OpenedDatabase =
  | { readonly ok: true; readonly connection: Connection }
  | Extract<MigrateResult, { ok: false }>

/**
 * Makes the database if it is missing and applies what migrations it lacks.
 * @param migrations their folder
 */
export function openMigrated(file: string, migrations: string): OpenedDatabase {
  const connection = new LocalConnection(file)
  const migrated = migrate(connection, readMigrations(migrations))
  if (migrated.ok) return { ok: true, connection }
  connection.close()
  return migrated
}
