import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../testing/store-folder'
import { DamagedFileError } from './damaged-file'
import { FullDiskError } from './full-disk'
import { LocalConnection } from './local-connection'

const PAGE = 4096

let folder: string
let file: string
beforeEach(() => {
  folder = temporaryFolder()
  file = join(folder, 'x.db')
  const connection = new LocalConnection(file)
  connection.script('CREATE TABLE "T" ("a" TEXT)')
  for (let i = 0; i < 100; i++) connection.run('INSERT INTO "T" VALUES (?)', ['x'.repeat(1000)])
  connection.script('PRAGMA wal_checkpoint(TRUNCATE)')
  connection.close()
})

const damaged = (use: () => unknown) => {
  expect(use).toThrow(DamagedFileError)
  expect(use).toThrow(`${file} is damaged`)
  expect(use).toThrow(/Restore it from a backup; or .*start again/)
}

describe('a full disk', () => {
  it('is reported with the file that found no room, and what to do', () => {
    const connection = new LocalConnection(file)
    const [[pages]] = connection.run('PRAGMA page_count').rows as [[number]]
    connection.script(`PRAGMA max_page_count = ${pages}`)
    const fill = () => {
      for (let i = 0; i < 50; i++) connection.run('INSERT INTO "T" VALUES (?)', ['x'.repeat(1000)])
    }
    expect(fill).toThrow(FullDiskError)
    expect(fill).toThrow(`The disk that holds ${file} is full. Free some space`)
    connection.close()
  })
})

describe('a damaged database file', () => {
  it('is reported with its name and what to do when it is opened', () => {
    writeFileSync(file, 'this is no database, whatever its name is'.repeat(99))
    damaged(() => new LocalConnection(file))
  })

  it('is reported when a statement comes upon the damage', () => {
    const bytes = readFileSync(file)
    // The first page names the tables; their rows are gone.
    bytes.fill(0, PAGE)
    writeFileSync(file, bytes)
    const connection = new LocalConnection(file)
    damaged(() => connection.run('SELECT * FROM "T"'))
    damaged(() => connection.script('UPDATE "T" SET "a" = 1'))
    damaged(() => connection.statement('INSERT INTO "T" VALUES (?)')(['y']))
    connection.close()
  })

  it('is no answer to a statement that is wrong', () => {
    const connection = new LocalConnection(file)
    expect(() => connection.run('SELECT * FROM "U"')).toThrow('no such table')
    expect(() => connection.run('SELECT * FROM "U"')).not.toThrow(DamagedFileError)
    connection.close()
  })
})
