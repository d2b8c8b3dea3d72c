import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { reasonOf } from '../../core/words/reason-of'
import { FLAG, rowsOf } from '../rows'
import type { SqliteConnection } from './sqlite-connection'

/** One checked-in migration: a folder `NNNN_name` with a `migration.sql`. */
export type Migration = { readonly name: string; readonly sql: string; readonly checksum: string }

export type MigrateResult =
  | { readonly ok: true; readonly applied: readonly string[] }
  | { readonly ok: false; readonly reason: 'newer' | 'changed' | 'failed'; readonly message: string }

const RECORDED = z.object({ name: z.string(), checksum: z.string(), finished: FLAG })
type Recorded = z.output<typeof RECORDED>

// As `prisma migrate` creates it, so that it agrees with us where its engine is at hand.
const TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id"                    TEXT PRIMARY KEY NOT NULL,
    "checksum"              TEXT NOT NULL,
    "finished_at"           DATETIME,
    "migration_name"        TEXT NOT NULL,
    "logs"                  TEXT,
    "rolled_back_at"        DATETIME,
    "started_at"            DATETIME NOT NULL DEFAULT current_timestamp,
    "applied_steps_count"   INTEGER UNSIGNED NOT NULL DEFAULT 0
)`

/** Reads the migrations of a folder, in order. */
export function readMigrations(folder: string): readonly Migration[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((item) => item.isDirectory() && /^\d{4}_/.test(item.name))
    .map((item) => item.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })
}

/**
 * Brings the database to the newest of `migrations`, each in one transaction together with its record. Safe when two
 * processes start at once: the second waits for the write lock and then finds nothing left to do.
 */
export function migrate(connection: SqliteConnection, migrations: readonly Migration[]): MigrateResult {
  try {
    return applyAll(connection, migrations)
  } catch (error) {
    if (connection.inTransaction) connection.script('ROLLBACK')
    const why = reasonOf(error)
    return { ok: false, reason: 'failed', message: `The database could not be brought up to date: ${why}` }
  }
}

function applyAll(connection: SqliteConnection, migrations: readonly Migration[]): MigrateResult {
  const before = compare(readRecorded(connection), migrations)
  if ('ok' in before) return before
  if (before.missing.length === 0) return { ok: true, applied: [] }
  connection.script('BEGIN IMMEDIATE')
  connection.script(TABLE)
  connection.script('COMMIT')
  const applied: string[] = []
  for (const migration of before.missing) {
    connection.script('BEGIN IMMEDIATE')
    // Read again under the lock: another process may have been faster.
    const now = compare(readRecorded(connection), migrations)
    if ('ok' in now) {
      connection.script('ROLLBACK')
      return now
    }
    if (now.missing.includes(migration)) {
      connection.script(migration.sql)
      record(connection, migration)
      applied.push(migration.name)
    }
    connection.script('COMMIT')
  }
  return { ok: true, applied }
}

function readRecorded(connection: SqliteConnection): readonly Recorded[] {
  const table = connection.run(
    `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_prisma_migrations'`,
  )
  if (table.rows.length === 0) return []
  const answer = connection.run(
    `SELECT migration_name AS "name", checksum AS "checksum", finished_at IS NOT NULL AS "finished"
     FROM "_prisma_migrations" WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  )
  return rowsOf(RECORDED, answer)
}

function compare(
  recorded: readonly Recorded[],
  migrations: readonly Migration[],
): { missing: readonly Migration[] } | Extract<MigrateResult, { ok: false }> {
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const { name, checksum, finished } of recorded) {
    const migration = known.get(name)
    if (!migration) {
      return {
        ok: false,
        reason: 'newer',
        message: `The database was made by a newer version of Plimsoll (it has the migration ${name}, which this version does not know). Update Plimsoll, or name another database with DATABASE_URL or PLIMSOLL_HOME.`,
      }
    }
    if (migration.checksum !== checksum || !finished) {
      return {
        ok: false,
        reason: 'changed',
        message: `The database was made with another text of the migration ${name}, so its tables cannot be trusted. It holds only what can be read again from the stores: move the file away and start again.`,
      }
    }
  }
  const names = new Set(recorded.map(({ name }) => name))
  return { missing: migrations.filter(({ name }) => !names.has(name)) }
}

function record(connection: SqliteConnection, migration: Migration): void {
  connection.run(
    `INSERT INTO "_prisma_migrations" ("id", "checksum", "finished_at", "migration_name", "started_at", "applied_steps_count")
     VALUES (?, ?, unixepoch('subsec') * 1000, ?, unixepoch('subsec') * 1000, 1)`,
    [randomUUID(), migration.checksum, migration.name],
  )
}
