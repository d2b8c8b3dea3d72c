import { afterEach, describe, expect, it } from 'vitest'
import { createTestDatabase, MIGRATIONS, type TestDatabase } from '../../testing/database'
import { LocalConnection } from './local-connection'
import { migrate, readMigrations } from './migrate'

let database: TestDatabase | null = null
let opened: LocalConnection | null = null
afterEach(async () => {
  await database?.destroy()
  database = null
  opened?.close()
  opened = null
})

function reopen({ file }: TestDatabase): LocalConnection {
  opened = new LocalConnection(file)
  return opened
}

const migrations = readMigrations(MIGRATIONS)
const names = migrations.map(({ name }) => name)

describe('migrations at start-up', () => {
  it('apply all to an empty database, record each as Prisma does, and do nothing the second time', () => {
    opened = new LocalConnection(':memory:')
    expect(migrate(opened, migrations)).toEqual({ ok: true, applied: names })
    expect(migrate(opened, migrations)).toEqual({ ok: true, applied: [] })
    const { rows } = opened.run(
      'SELECT migration_name, length(checksum), length(id), applied_steps_count, typeof(finished_at) FROM _prisma_migrations ORDER BY 1',
    )
    expect(rows).toEqual(names.map((name) => [name, 64, 36, 1, 'integer']))
  })

  it('say that a database of a newer version is newer, and leave it alone', () => {
    database = createTestDatabase()
    const connection = reopen(database)
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
    expect(migrate(reopen(database), altered)).toMatchObject({ ok: false, reason: 'changed' })
  })

  it('leave nothing behind when one fails in the middle', () => {
    opened = new LocalConnection(':memory:')
    const broken = {
      name: '9998_broken',
      checksum: 'z',
      sql: 'CREATE TABLE "Half" (a); CREATE TABLE "Half" (a);',
    }
    expect(migrate(opened, [...migrations, broken])).toMatchObject({ ok: false, reason: 'failed' })
    expect(opened.run(`SELECT name FROM sqlite_master WHERE name = 'Half'`).rows).toEqual([])
    expect(migrate(opened, migrations)).toEqual({ ok: true, applied: [] })
  })
})
