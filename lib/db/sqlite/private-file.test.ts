import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli } from '../../testing/run-cli'
import { temporaryFolder } from '../../testing/store-folder'
import { LocalConnection } from './local-connection'
import { keepPrivate } from './private-file'

const modeOf = (path: string) => statSync(path).mode & 0o777

/** Names and modes of the files in a folder. */
const modesIn = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]))

/** Runs work with the umask that most systems have, under which files are made for all to read. */
function withOpenUmask<T>(work: () => T): T {
  const before = process.umask(0o022)
  try {
    return work()
  } finally {
    process.umask(before)
  }
}

describe.skipIf(process.platform === 'win32')('databases are closed to others', () => {
  test('a new one, with what SQLite keeps beside it', () => {
    const folder = temporaryFolder()
    withOpenUmask(() => {
      const connection = new LocalConnection(join(folder, 'x.db'))
      connection.script('CREATE TABLE t (a); INSERT INTO t VALUES (1)')
      expect(modesIn(folder)).toEqual({ 'x.db': 0o600, 'x.db-wal': 0o600, 'x.db-shm': 0o600 })
      connection.close()
    })
  })

  test('one from before, while another connection has it open, and one that is named as a URI', () => {
    const folder = temporaryFolder()
    const file = join(folder, 'ä x.db')
    withOpenUmask(() => {
      const first = new LocalConnection(file)
      first.script('CREATE TABLE t (a); INSERT INTO t VALUES (1)')
      for (const path of [file, `file:${encodeURI(file)}?mode=ro`]) {
        for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644)
        const second = new LocalConnection(path)
        expect(Object.values(modesIn(folder))).toEqual([0o600, 0o600, 0o600])
        expect(second.run('SELECT a FROM t').rows).toEqual([[1]])
        second.close()
      }
      first.close()
    })
  })

  test('one behind a link, and no file that a link beside it names', () => {
    const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()]
    const file = join(folder, 'x.db')
    symlinkSync(join(elsewhere, 'real.db'), file)
    writeFileSync(join(elsewhere, 'mine'), 'mine', { mode: 0o644 })
    chmodSync(join(elsewhere, 'mine'), 0o644)
    symlinkSync(join(elsewhere, 'mine'), `${file}-journal`)
    withOpenUmask(() => keepPrivate(file))
    expect(modeOf(join(elsewhere, 'mine'))).toBe(0o644)
    writeFileSync(join(elsewhere, 'real.db'), '')
    chmodSync(join(elsewhere, 'real.db'), 0o666)
    keepPrivate(file)
    expect(modeOf(join(elsewhere, 'real.db'))).toBe(0o600)
  })

  test('makes nothing for a database in memory, a read-only one, or where there is no folder', () => {
    const folder = temporaryFolder()
    keepPrivate(':memory:')
    keepPrivate(`file:${join(folder, 'x.db')}?mode=ro`)
    keepPrivate(join(folder, 'none', 'x.db'))
    expect(readdirSync(folder)).toEqual([])
    expect(existsSync(':memory:')).toBe(false)
  })

  test('K: all that the program keeps, with DATABASE_URL in a folder that all can read', async () => {
    const folder = temporaryFolder()
    const dburl = join(folder, 'dburl')
    mkdirSync(dburl, { mode: 0o755 })
    chmodSync(dburl, 0o755)
    const store = join(folder, 'store')
    mkdirSync(store)
    writeFileSync(
      join(store, 'a.jsonl'),
      '{"type":"session","version":3,"id":"a","timestamp":"2026-11-01T08:00:00.000Z","cwd":"/w"}\n',
    )
    const env = {
      HOME: folder,
      PLIMSOLL_HOME: join(folder, 'state'),
      DATABASE_URL: `file:${join(dburl, 'x.db')}`,
      PLIMSOLL_STORES: store,
    }
    writeFileSync(join(dburl, 'x.db'), '')
    chmodSync(join(dburl, 'x.db'), 0o644)
    const before = process.umask(0o022)
    try {
      expect((await runCli(['ingest'], { env, cwd: folder })).code).toBe(0)
    } finally {
      process.umask(before)
    }
    const modes = modesIn(dburl)
    expect(Object.keys(modes).length).toBeGreaterThan(1)
    for (const [name, mode] of Object.entries(modes)) expect([name, mode & 0o077]).toEqual([name, 0])
    for (const name of readdirSync(join(folder, 'state'), { recursive: true }) as string[]) {
      const seen = statSync(join(folder, 'state', name))
      if (seen.isFile()) expect([name, seen.mode & 0o077]).toEqual([name, 0])
    }
  })
})
