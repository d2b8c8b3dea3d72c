import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Database, openClient } from '../db/client'
import { LocalConnection } from '../db/sqlite/local-connection'
import { migrate, readMigrations } from '../db/sqlite/migrate'

/** The migrations of this checkout. */
export const MIGRATIONS = resolve(import.meta.dirname, '../../prisma/migrations/sqlite')

export type TestDatabase = Database & {
  /** The database file. */
  readonly file: string
  /** A folder of this test alone, deleted by `destroy`. */
  readonly folder: string
  destroy(): Promise<void>
}

let template: string | null = null

/** A fresh database with all migrations applied; a copy of one made once per test worker. */
export function createTestDatabase(): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-test-'))
  const file = join(folder, 'plimsoll.db')
  copyFileSync(migratedTemplate(), file)
  const database = openClient(`file:${file}`)
  return {
    ...database,
    file,
    folder,
    destroy: async () => {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function migratedTemplate(): string {
  if (template && existsSync(template)) return template
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-template-'))
  const draft = join(folder, 'draft.db')
  const connection = new LocalConnection(draft)
  const result = migrate(connection, readMigrations(MIGRATIONS))
  // Everything into the one file, so that a copy of it is whole.
  connection.script('PRAGMA wal_checkpoint(TRUNCATE)')
  connection.close()
  if (!result.ok) throw new Error(result.message)
  template = join(folder, 'template.db')
  renameSync(draft, template)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return template
}
