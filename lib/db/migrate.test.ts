import { afterEach, describe, expect, it } from 'vitest'
import { createTestDatabase, MIGRATIONS, type TestDatabase } from '../testing/database'
import { LocalConnection } from './local-connection'
import { migrate, readMigrations } from './migrate'

let database: TestDatabase | null = null
let empty: LocalConnection | null = null
afterEach(async () => {
  await database?.destroy()
  database = null
  empty?.close()
  empty = null
})

const migrations = readMigrations(MIGRATIONS)
const names = migrations.map(({ name }) => name)

describe('migrations at start-up', () => {
  it('apply all to an empty database, record each as Prisma does, and do nothing the second time', () => {
    empty = new LocalConnection(':memory:')
    expect(migrate(empty, migrations)).toEqual({ ok: true, applied: names })
    expect(migrate(empty, migrations)).toEqual({ ok: true, applied: [] })
    const { rows } = empty.run(
      'SELECT migration_name, length(checksum), length(id), applied_steps_count, typeof(finished_at) FROM _prisma_migrations ORDER BY 1',
    )
    expect(rows).toEqual(names.map((name) => [name, 64, 36, 1, 'integer']))
  })

  it('say that a database of a newer version is newer, and leave it alone', () => {
    database = createTestDatabase()
    const { connection } = database
    connection.run(
      `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name) VALUES ('x', 'y', 1, '9999_later')`,
    )
    const result = migrate(connection, migrations)
    expect(result).toMatchObject({ ok: false, reason: 'newer' })
    expect(!result.ok && result.message).toContain('9999_later')
  })

  it('refuse a database whose migration had another text', () => {
    database = createTestDatabase()
    const altered = migrations.map((migration) => ({ ...migration, checksum: 'other' }))
    expect(migrate(database.connection, altered)).toMatchObject({ ok: false, reason: 'changed' })
  })

  it('leave nothing behind when one fails in the middle', () => {
    empty = new LocalConnection(':memory:')
    const broken = {
      name: '9998_broken',
      checksum: 'z',
      sql: 'CREATE TABLE "Half" (a); CREATE TABLE "Half" (a);',
    }
    expect(migrate(empty, [...migrations, broken])).toMatchObject({ ok: false, reason: 'failed' })
    expect(empty.run(`SELECT name FROM sqlite_master WHERE name = 'Half'`).rows).toEqual([])
    expect(migrate(empty, migrations)).toEqual({ ok: true, applied: [] })
  })
})
