import { statSync } from 'node:fs'
import { type LeaseHolder, lookAtLease } from '../adapters/files/lease'
import { SqliteFiles } from '../adapters/sqlite/read-only'
import type { Environment } from '../config/env'
import { migrationsFolder } from '../config/paths'
import type { Bytes } from '../core/units/units'
import { databasePath } from '../db/database-url'
import { DamagedFileError, explainDamage } from '../db/sqlite/damaged-file'
import { type DatabaseCounts, lookInside } from '../db/sqlite/look-inside'
import { readMigrations } from '../db/sqlite/migrate'

/** What can be said about our own database without changing it. */
export type DatabaseInspection = {
  readonly file: string
  /**
   * `missing`: not made yet. `newer`: a later version of Plimsoll made it. `behind`: lacks migrations, which the next
   * start applies.
   */
  readonly state: 'missing' | 'ok' | 'behind' | 'newer' | 'unreadable'
  readonly problem: string | null
  /** Null when there is no file. */
  readonly bytes: Bytes | null
  readonly applied: readonly string[]
  readonly pending: readonly string[]
  /** Migrations in the database that this version does not know. */
  readonly unknown: readonly string[]
  readonly counts: DatabaseCounts | null
  /** Who reads stores into it now; null when there is none. */
  readonly reader: { readonly holder: LeaseHolder | null } | null
}

/** Looks at the database; never throws for what it finds. */
export async function inspectDatabase({ databaseUrl }: Environment): Promise<DatabaseInspection> {
  const file = databasePath(databaseUrl)
  const known = readMigrations(migrationsFolder()).map(({ name }) => name)
  const nothing = {
    file,
    problem: null,
    bytes: null,
    applied: [],
    pending: known,
    unknown: [],
    counts: null,
    reader: null,
  }
  const bytes = statSync(file, { throwIfNoEntry: false })?.size
  if (bytes === undefined) return { ...nothing, state: 'missing' }
  try {
    const { applied, counts } = await new SqliteFiles().read(file, lookInside)
    const pending = known.filter((name) => !applied.includes(name))
    const unknown = applied.filter((name) => !known.includes(name))
    const state = unknown.length > 0 ? 'newer' : pending.length > 0 ? 'behind' : 'ok'
    return {
      file,
      state,
      problem: null,
      bytes,
      applied,
      pending,
      unknown,
      counts,
      reader: lookAtLease(`${file}.lease`),
    }
  } catch (error) {
    return {
      ...nothing,
      bytes,
      state: 'unreadable',
      problem: problemOf(error, file),
    }
  }
}

function problemOf(error: unknown, file: string): string {
  if (!(error instanceof Error)) return String(error)
  const explained = explainDamage(error.cause, file)
  return explained instanceof DamagedFileError ? explained.message : error.message
}
