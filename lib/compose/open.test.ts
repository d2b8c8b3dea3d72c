import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCallBlocks } from '../db/call-blocks'
import { LocalConnection } from '../db/sqlite/local-connection'
import { TranscriptBuilder } from '../testing/builders/transcript'
import { bundleChild } from '../testing/child'
import { CORPUS } from '../testing/corpus'
import { MIGRATIONS } from '../testing/database'
import { readSetup } from '../testing/read-setup'
import { mountSmallDisk } from '../testing/small-disk'
import { sharedFolder } from '../testing/store-folder'
import { ingestOnce, openDatabase, type Setup, watchAll } from './open'

const folder = sharedFolder()

let homes = 0

/** A set-up with a separate state folder that reads only `store`. */
function setupFor(
  store: string,
  home = join(folder, `home-${homes++}`),
): { setup: Setup; env: Record<string, string> } {
  const env = { HOME: home, PLIMSOLL_HOME: join(home, 'state'), PLIMSOLL_STORES: store }
  const read = readSetup(env, folder)
  if (!read.ok) throw new Error(read.problems.join('\n'))
  return { setup: read.setup, env }
}

function writeStore(sessions: number, turns = 3): string {
  const store = mkdtempSync(join(folder, 'store-'))
  for (let session = 0; session < sessions; session++) {
    const builder = new TranscriptBuilder({ id: `s${session}` })
    for (let turn = 0; turn < turns; turn++) {
      builder.user(`question ${turn} `.repeat(20))
      builder.assistant(`answer ${turn} `.repeat(20), { usage: { input: 1000, output: 10 } })
    }
    writeFileSync(join(store, `s${session}.jsonl`), builder.text())
  }
  return store
}

/** Names, contents and times of everything below a folder. */
function hashFolder(root: string): string {
  const hash = createHash('sha256')
  for (const name of (readdirSync(root, { recursive: true }) as string[]).sort()) {
    const stat = statSync(join(root, name))
    hash.update(`${name} ${stat.size} ${stat.mtimeMs} ${stat.ino}\n`)
    if (stat.isFile()) hash.update(readFileSync(join(root, name)))
  }
  return hash.digest('hex')
}

describe.skipIf(CORPUS === null)(
  'an import of real session files (skipped where they are not at hand)',
  () => {
    it('reads every store of the corpus and writes nothing into any of them', async () => {
      const root = CORPUS ?? ''
      const before = hashFolder(root)
      const { setup, env } = setupFor(root)
      const outcome = await ingestOnce(setup, env)
      if (!outcome.ok) throw new Error(outcome.message)
      expect(outcome.report.problems).toEqual([
        { path: expect.any(String), problem: expect.stringMatching(/^\d+ \.jsonl files .* are left out/) },
      ])
      const opened = await openDatabase(setup.environment)
      if (!opened.ok) throw new Error(opened.message)
      const sessions = await opened.database.prisma.session.findMany({ include: { store: true } })
      const tally = sessions.map(({ store, entries, calls, compactions, unreadable, unknownTypes }) =>
        [store.kind, store.era, entries, calls, compactions, unreadable, unknownTypes].join(' '),
      )
      expect(tally.sort()).toMatchInlineSnapshot(`
        [
          "claude-code jsonl 138 62 0 0 0",
          "claude-code jsonl 2 0 0 0 0",
          "claude-code jsonl 30 7 0 0 0",
          "claude-code jsonl 439 9 0 0 0",
          "claude-code jsonl 49 14 2 0 0",
          "claude-code jsonl 54 10 0 0 0",
          "claude-code jsonl 75 1 1 0 0",
          "claude-code jsonl 77 24 0 0 0",
          "claude-code jsonl 78 14 2 0 0",
          "codex jsonl 1093 189 0 0 0",
          "codex jsonl 237 18 6 0 0",
          "codex jsonl 94 15 1 0 0",
          "codex jsonl 97 16 1 0 0",
          "openclaw jsonl 15 5 0 0 0",
          "openclaw jsonl 15 5 0 0 0",
          "openclaw jsonl 21 7 0 0 0",
          "openclaw jsonl 37 16 2 0 0",
          "openclaw sqlite 62 25 2 0 0",
          "pi jsonl 1019 453 0 0 0",
        ]
      `)
      // Where providers reported usage, the sums by category are what was sent.
      const { connection } = opened.database
      const calls = sessions.flatMap(({ row }) => readCallBlocks(connection, row))
      const reported = calls.filter(({ basis }) => basis === 'measured')
      expect(reported.length).toBeGreaterThan(100)
      for (const { total, tokens } of reported) expect(tokens.reduce((a, b) => a + b, 0)).toBe(total)
      await opened.database.close()
      expect(await ingestOnce(setup, env)).toMatchObject({ ok: true, report: { changed: [], rows: 0 } })
      expect(hashFolder(root)).toBe(before)
    })
  },
)

describe('the database', () => {
  it('of a newer version is refused with what to do, by every way in', async () => {
    const { setup, env } = setupFor(writeStore(1))
    await ingestOnce(setup, env)
    const file = setup.environment.databaseUrl.slice('file:'.length)
    const connection = new LocalConnection(file)
    connection.run(
      `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name) VALUES ('x', 'y', 1, '9999_later')`,
    )
    connection.close()
    const refusal = { ok: false, reason: 'newer', message: expect.stringContaining('newer version') }
    expect(await openDatabase(setup.environment)).toMatchObject(refusal)
    expect(await ingestOnce(setup, env)).toMatchObject(refusal)
    const watching = watchAll(setup, env, { onEvent: () => undefined, signal: new AbortController().signal })
    expect(await watching).toMatchObject(refusal)
  })

  it('is in a folder that only its owner can read', async () => {
    const { setup, env } = setupFor(writeStore(1))
    await ingestOnce(setup, env)
    expect(statSync(setup.environment.home).mode & 0o777).toBe(0o700)
  })

  it('that is not one is refused with its name', async () => {
    const { setup } = setupFor(writeStore(1))
    mkdirSync(setup.environment.home, { recursive: true })
    writeFileSync(
      join(setup.environment.home, 'plimsoll.db'),
      'this is no database, whatever its name is'.repeat(99),
    )
    expect(await openDatabase(setup.environment)).toMatchObject({
      ok: false,
      reason: 'failed',
      message: expect.stringContaining('plimsoll.db'),
    })
  })

  it.each([
    ['plimsoll.db', 'Restore it from a backup; or stop Plimsoll, move this file'],
    ['plimsoll-search.db', 'Restore it from a backup; or stop Plimsoll, move this file'],
    ['plimsoll.db.lease', 'delete it and start again'],
  ])('of which %s is damaged says what to do, by every way that reads stores', async (name, advice) => {
    const { setup, env } = setupFor(writeStore(1))
    await ingestOnce(setup, env)
    const file = join(setup.environment.home, name)
    // Without its log: SQLite would find whole pages there.
    for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
    writeFileSync(file, 'this is no database, whatever its name is'.repeat(99))
    const refusal = { ok: false, reason: 'failed', message: expect.stringContaining(`${file} is damaged`) }
    const outcome = await ingestOnce(setup, env)
    expect(outcome).toMatchObject(refusal)
    expect(outcome).toMatchObject({ message: expect.stringContaining(advice) })
    const watching = watchAll(setup, env, { onEvent: () => undefined, signal: new AbortController().signal })
    expect(await watching).toMatchObject(refusal)
    // The way out that it names is one.
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
    expect(await ingestOnce(setup, env)).toMatchObject({ ok: true })
  })
})

describe('a second import with nothing changed', () => {
  it('says of a store what the first one found, counts its sessions, and sees when that has changed', async () => {
    const root = mkdtempSync(join(folder, 'openclaw-'))
    const sessions = join(root, 'agents', 'main', 'sessions')
    mkdirSync(sessions, { recursive: true })
    for (const name of ['s1', 's2']) {
      const builder = new TranscriptBuilder({ id: name })
      builder.user('hello')
      writeFileSync(join(sessions, `${name}.jsonl`), builder.text())
    }
    const index = join(sessions, 'sessions.json')
    writeFileSync(index, '{')
    const { setup, env } = setupFor(root)
    const look = async () => {
      const outcome = await ingestOnce(setup, env)
      if (!outcome.ok) throw new Error(outcome.message)
      const { found, report } = outcome
      const problems = found.stores.map(({ problem }) => problem)
      return { problems, sessions: report.stores.map((store) => store.sessions), changed: report.changed }
    }
    const broken = [expect.stringContaining(index)]
    expect(await look()).toMatchObject({ problems: broken, sessions: [2] })
    expect(await look()).toEqual({ problems: broken, sessions: [2], changed: [] })
    writeFileSync(index, '{"agent:main:main": {"sessionId": "s1"}}')
    const fixed = await look()
    expect(fixed).toMatchObject({ problems: [undefined], sessions: [2] })
    expect(fixed.changed).toHaveLength(1)
    rmSync(join(sessions, 's2.jsonl'))
    expect(await look()).toMatchObject({ sessions: [1] })
    expect(await look()).toEqual({ problems: [undefined], sessions: [1], changed: [] })
  })
})

describe('two processes on one database', () => {
  let program: ReturnType<typeof bundleChild>
  beforeAll(() => {
    program = bundleChild('lib/testing/children/import-store.ts')
  })
  afterAll(() => program.remove())

  it('that start at once both find all tables, and exactly one of them imports at a time', async () => {
    const store = writeStore(6, 40)
    const database = join(folder, 'shared.db')
    const children = Array.from({ length: 4 }, () => program.start([database, store, MIGRATIONS]))
    const codes = await Promise.all(children.map(({ ended }) => ended))
    const finished = children.filter((child) => child.output().includes('finished'))
    expect(finished.length).toBe(codes.filter((code) => code === 0).length)
    expect(finished.length).toBeGreaterThan(0)
    // Whoever came later found nothing left to do.
    const read = finished.map((child) => Number(/finished (\d+)/.exec(child.output())?.[1]))
    expect(read.reduce((a, b) => a + b, 0)).toBe(6 * 81)
    const connection = new LocalConnection(database)
    expect(connection.run('SELECT sum("entries") FROM "Session"').rows).toEqual([[6 * 81]])
    connection.close()
  })

  it('see each other, and the second takes over when the first ends', async () => {
    const { setup, env } = setupFor(writeStore(1))
    const stops = [new AbortController(), new AbortController()] as const
    const events: string[][] = [[], []]
    const watchers = stops.map(({ signal }, i) =>
      watchAll(setup, env, {
        signal,
        onEvent: (event) => events[i]?.push(event.kind === 'waiting' ? event.message : event.kind),
      }),
    )
    await expect.poll(() => events[0], { timeout: 15_000 }).toContain('swept')
    expect(events[1]?.[0]).toContain(`Process ${process.pid} on `)
    stops[0].abort()
    await expect.poll(() => events[1], { timeout: 15_000 }).toContain('swept')
    stops[1].abort()
    expect(await Promise.all(watchers)).toEqual([{ ok: true }, { ok: true }])
  })
})

const disk = mountSmallDisk(2)
describe.skipIf(disk === null)('a full disk (skipped where none can be mounted)', () => {
  afterAll(() => disk?.remove())

  it('ends the import with its reason; with room again, the next one goes on', async () => {
    const store = writeStore(60, 60)
    const { setup, env } = setupFor(store, disk?.folder)
    const before = hashFolder(store)
    expect(await ingestOnce(setup, env)).toMatchObject({
      ok: false,
      reason: 'failed',
      message: expect.stringMatching(/disk that holds .* is full\. Free some space .*PLIMSOLL_HOME/),
    })
    expect(hashFolder(store)).toBe(before)
    disk?.grow(64)
    expect(await ingestOnce(setup, env)).toMatchObject({ ok: true })
    const connection = new LocalConnection(setup.environment.databaseUrl.slice('file:'.length))
    expect(connection.run('SELECT sum("entries") FROM "Session"').rows).toEqual([[60 * 121]])
    connection.close()
  })
})
