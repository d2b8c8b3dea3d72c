import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readLine } from '../../core/transcript/reading/read-line'
import type { EntryPlace, FoundStore, FoundTranscript } from '../../engine/read/ports'
import { readSources } from '../../engine/read/read-sources'
import { transcriptLines } from '../../engine/read/transcript-lines'
import { AgentDatabaseBuilder, type Row } from '../../testing/builders/agent-database'
import { CORPUS } from '../../testing/corpus'
import { otherProcess } from '../../testing/hold-database'
import {
  listAll,
  readAll,
  type StoreReading,
  storeFixture,
  temporaryFolder,
  treeOf,
} from '../../testing/store-folder'
import { discoverStores } from '../discovery/discover'
import { SqliteFiles } from '../sqlite/read-only'
import { createStoreReader } from './store-reader'

const HEADER = '{"type":"session","version":4,"id":"s1","timestamp":"2026-11-01T08:00:00.000Z","cwd":"/w"}'
const PACKED: Row = {
  zstd: storeFixture('row-2026.9.6.json.zst'),
  bytes: storeFixture('row-2026.9.6.json').length,
}
const PACKED_ID = JSON.parse(storeFixture('row-2026.9.6.json').toString()).id

function row(n: number, text = 'hello'): string {
  return JSON.stringify({
    type: 'message',
    id: `e${n}`,
    parentId: null,
    message: { role: 'user', content: text },
  })
}

const ids = ({ facts }: StoreReading) => facts.map((fact) => fact.id ?? fact.type)

/** A state folder with one agent database, open as by its gateway. */
function agentStore(options: ConstructorParameters<typeof AgentDatabaseBuilder>[1] = {}) {
  const root = temporaryFolder()
  const file = join(root, 'agents', 'main', 'agent', 'openclaw-agent.sqlite')
  const database = new AgentDatabaseBuilder(file, options)
  onTestFinished(() => database.close())
  const reader = createStoreReader({ limits: { batchFacts: 20 } })
  const discover = async () => (await discoverStores({ env: {}, home: '/nowhere', only: [root] })).stores
  const list = async () => {
    const store = (await discover())[0] as FoundStore
    return { store, ...(await listAll(reader, store)) }
  }
  let last: StoreReading | null = null
  const read = async (id = 's1', onBatch?: (batch: number) => void) => {
    const { store, transcripts } = await list()
    const transcript = transcripts.find(({ sessionId, path }) => sessionId === id && path === file)
    last = await readAll(reader, store, transcript as FoundTranscript, last?.cursor ?? null, onBatch)
    return last
  }
  return { root, file, database, reader, discover, list, read }
}

const ENTRY = { sessionId: 's1', contextTokens: 64000, model: 'm', totalTokens: 5, label: 'one' }

describe.each([
  ['with a write-ahead log', true],
  ['without one', false],
])('an agent database %s', (_, wal) => {
  it('lists its sessions with their index entries', async () => {
    const { database, list, file } = agentStore({ wal })
    database
      .session({ id: 's1', key: 'agent:main:main', rows: [HEADER, row(1)], entry: ENTRY, changedAt: 77 })
      .session({ id: 's0', key: 'agent:main:main', rows: [HEADER] })
    const { store, transcripts, problem } = await list()
    expect(problem).toBeNull()
    expect(store).toMatchObject({ kind: 'openclaw', era: 'sqlite', state: 'ok' })
    expect(transcripts).toMatchObject([
      {
        sessionId: 's1',
        key: 'agent:main:main',
        agent: 'main',
        path: file,
        state: 'live',
        stamp: { size: 2, mtimeMs: 77 },
        index: { contextWindow: 64000, model: 'm', totalTokens: 5, label: 'one' },
      },
      { sessionId: 's0', key: 'agent:main:main', state: 'reset', index: null },
    ])
    expect(new Set(transcripts.map(({ id }) => id)).size).toBe(2)
  })

  it('is read in batches, plain and compressed rows alike, and gone on with', async () => {
    const { database, read } = agentStore({ wal })
    const pretty = JSON.stringify(JSON.parse(row(2)), null, 2)
    database.session({
      id: 's1',
      key: 'agent:main:main',
      rows: [HEADER, row(1), pretty, PACKED, ...Array.from({ length: 60 }, (_, i) => row(4 + i))],
      entry: ENTRY,
    })
    const first = await read()
    expect(first.problem).toBeNull()
    expect(first.batches).toBe(4)
    expect(ids(first).slice(0, 5)).toEqual(['session', 'e1', 'e2', PACKED_ID, 'e4'])
    expect(first.facts[2]).toMatchObject({ seq: 2, line: 3, offset: 0, bytes: Buffer.byteLength(pretty) })
    expect(await read()).toMatchObject({ facts: [], batches: 0, start: { restarted: false } })

    database.append('s1', 64, [row(64), PACKED])
    const second = await read()
    expect(ids(second)).toEqual(['e64', PACKED_ID])
    expect(second.start).toEqual({ restarted: false })
    expect(second.bytesRead).toBe(row(64).length + 509)
  })

  it('starts over when history was rewound, rewritten, or replaced', async () => {
    const { database, read } = agentStore({ wal })
    database.session({
      id: 's1',
      key: 'k',
      rows: [HEADER, row(1), row(2), row(3)],
      entry: ENTRY,
      generation: 'g1',
    })
    await read()
    database.run('DELETE FROM transcript_events WHERE seq > 1')
    expect(await read()).toMatchObject({ start: { restarted: true, reason: 'truncated' } })

    database.append('s1', 2, [row(12), row(13)])
    expect(ids(await read())).toEqual(['e12', 'e13'])
    database.run('UPDATE transcript_events SET event_json = ? WHERE seq = 3', row(99))
    expect(await read()).toMatchObject({ start: { restarted: true, reason: 'rewritten' } })

    database.run('UPDATE transcript_events SET event_json = ? WHERE seq = 1', row(98))
    database.run("UPDATE transcript_rewrite_watermarks SET generation = 'g2', updated_at = 9")
    const last = await read()
    expect(last.start).toEqual({ restarted: true, reason: 'rewritten' })
    expect(ids(last)).toEqual(['session', 'e98', 'e12', 'e99'])
  })

  it('a reading stops when history is rewritten under it, and the next one starts over', async () => {
    const { database, read } = agentStore({ wal })
    const rows = Array.from({ length: 70 }, (_, i) => row(i))
    database.session({ id: 's1', key: 'k', rows, entry: ENTRY, generation: 'g1' })
    const first = await read('s1', (batch) => {
      if (batch !== 2) return
      database.run('UPDATE transcript_events SET event_json = ? WHERE seq = 5', row(500))
      database.run("UPDATE transcript_rewrite_watermarks SET generation = 'g2', updated_at = 9")
    })
    expect(first.facts).toHaveLength(40)
    const second = await read()
    expect(second.start).toEqual({ restarted: true, reason: 'rewritten' })
    expect(second.facts).toHaveLength(70)
    expect(second.facts[5]?.id).toBe('e500')
  })

  it('tells the source of every row, and refuses another one', async () => {
    const { database, list, reader } = agentStore({ wal })
    database.session({ id: 's1', key: 'k', rows: [HEADER, row(1), PACKED], entry: ENTRY })
    // A gap in the numbers: an entry is still found by its ordinal.
    database.append('s1', 7, [row(7)])
    const { store, transcripts } = await list()
    const transcript = transcripts[0] as FoundTranscript
    const { facts } = await readAll(reader, store, transcript)
    const sources = await Promise.all(facts.map((fact) => reader.source(store, transcript, fact)))
    expect(sources).toEqual([HEADER, row(1), storeFixture('row-2026.9.6.json').toString(), row(7)])
    expect(facts.at(-1)).toMatchObject({ seq: 3, line: 8 })
    await expect(
      reader.source(store, transcript, { seq: 1, offset: 0, bytes: 0, id: 'e7' }),
    ).rejects.toMatchObject({ code: 'changed' })
    await expect(reader.source(store, transcript, { seq: 9, offset: 0, bytes: 0 })).rejects.toMatchObject({
      code: 'changed',
    })
  })

  it('tells the sources of many rows in any order, over pages and gaps, and refuses another one', async () => {
    const { database, list } = agentStore({ wal })
    const rows = [HEADER, PACKED, ...Array.from({ length: 298 }, (_, i) => row(2 + i))]
    database.session({ id: 's1', key: 'k', rows, entry: ENTRY })
    database.append('s1', 900, [row(900), row(901)])
    const reader = createStoreReader({ limits: { batchFacts: 16 } })
    const { store, transcripts } = await list()
    const transcript = transcripts[0] as FoundTranscript
    const { facts } = await readAll(reader, store, transcript)
    expect(facts).toHaveLength(302)
    const one = await Promise.all(facts.map((fact) => reader.source(store, transcript, fact)))
    const many = async (places: readonly EntryPlace[]) => {
      const texts: string[] = []
      for await (const text of readSources(reader, store, transcript, places)) texts.push(text)
      return texts
    }
    const looks = vi.spyOn(SqliteFiles.prototype, 'read')
    onTestFinished(() => looks.mockRestore())
    expect(await many(facts)).toEqual(one)
    // One to find where they begin, and one for each page of 16.
    expect(looks).toHaveBeenCalledTimes(1 + Math.ceil(302 / 16))
    const some = [301, 0, 1, 299, 300, 17, 16, 15, 15, 200, 20]
    expect(await many(some.map((seq) => facts[seq] as EntryPlace))).toEqual(some.map((seq) => one[seq]))
    await expect(many([{ seq: 1, offset: 0, bytes: 0, id: 'e7' }])).rejects.toMatchObject({ code: 'changed' })
    await expect(many([{ seq: 302, offset: 0, bytes: 0 }])).rejects.toMatchObject({ code: 'changed' })
  })

  it('has a line for every row, also for those without a text', async () => {
    const { database, list, reader } = agentStore({ wal })
    database.session({ id: 's1', key: 'k', rows: [HEADER, 'no json'], entry: ENTRY })
    database.run('INSERT INTO transcript_events VALUES (?, 2, NULL, 1, NULL, NULL, NULL)', 's1')
    database.append('s1', 3, [row(3)])
    const { store, transcripts } = await list()
    let text = ''
    for await (const bytes of transcriptLines(reader, store, transcripts[0] as FoundTranscript))
      text += Buffer.from(bytes).toString()
    expect(text.split('\n')).toEqual([HEADER, 'no json', 'the row holds no text', row(3), ''])
  })

  it('rows that cannot be read are entries with their reason', async () => {
    const { database, list, reader } = agentStore({ wal })
    database.session({ id: 's1', key: 'k', rows: [HEADER, 'no json'], entry: ENTRY })
    const zstd = storeFixture('row-2026.9.6.json.zst').subarray(0, 300)
    database.append('s1', 2, [{ zstd, bytes: 1637 }])
    database.run('INSERT INTO transcript_events VALUES (?, 3, NULL, 1, NULL, NULL, NULL)', 's1')
    // Text that is not UTF-8 would end the process if it were read as text.
    database.run(
      "INSERT INTO transcript_events VALUES ('s1', 4, CAST(x'7b22ff227d' AS TEXT), 1, NULL, 5, NULL)",
    )
    database.append('s1', 5, [row(5, 'w'.repeat(3000))])
    const small = createStoreReader({ limits: { maxLine: 2000 } })
    const { store, transcripts } = await list()
    const { facts, problem, cursor } = await readAll(small, store, transcripts[0] as FoundTranscript)
    expect(problem).toBeNull()
    expect(facts.map(({ type }) => type)).toEqual(['session', ...Array(5).fill('unreadable')])
    expect(facts.map((fact) => fact.problem?.slice(0, 40))).toEqual([
      undefined,
      expect.any(String),
      expect.stringContaining('the compressed text of the row is damage'),
      'the row holds no text',
      expect.any(String),
      expect.stringContaining('the row has 0.0 MiB'),
    ])
    expect(await readAll(small, store, transcripts[0] as FoundTranscript, cursor)).toMatchObject({
      facts: [],
      start: { restarted: false },
    })
    expect((await readAll(reader, store, transcripts[0] as FoundTranscript)).facts.at(-1)?.id).toBe('e5')
  })

  it('nothing is written beside or into it', async () => {
    const { root, file, database, list, reader, read } = agentStore({ wal })
    database.session({ id: 's1', key: 'k', rows: [HEADER, row(1), PACKED], entry: ENTRY })
    database.close()
    // The gateway is another process: inside one process, SQLite shares what it has open.
    const work = await otherProcess(file)
    await work(wal ? `UPDATE session_nodes SET updated_at = 2` : 'SELECT 1')
    const before = treeOf(root)
    expect(Object.keys(before).some((name) => name.endsWith('-wal'))).toBe(wal)
    const { store, transcripts } = await list()
    const { facts } = await read()
    for (const fact of facts) await reader.source(store, transcripts[0] as FoundTranscript, fact)
    expect(treeOf(root)).toEqual(before)
  })
})

describe('an agent database whose owner is away', () => {
  it.each([
    ['and left nothing', ['']],
    ['and left an empty log', ['', 'empty']],
    ['and left a log and its index (it crashed)', ['', '-wal', '-shm']],
    ['and left a log without its index (a copy)', ['', '-wal']],
  ])('%s: read whole, and not a file more or less afterwards', async (_, sides) => {
    const { file: source, database } = agentStore({ wal: true })
    database.session({ id: 's1', key: 'k', rows: [HEADER, row(1)], entry: ENTRY })
    if (!sides.includes('-wal')) database.connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    const root = temporaryFolder()
    const file = join(root, 'agents', 'a b#c%?d', 'agent', 'openclaw-agent.sqlite')
    mkdirSync(join(file, '..'), { recursive: true })
    for (const side of sides) {
      if (side === 'empty') writeFileSync(`${file}-wal`, '')
      else copyFileSync(source + side, file + side)
    }
    const before = treeOf(root)
    const { stores } = await discoverStores({ env: {}, home: '/nowhere', only: [root] })
    const reader = createStoreReader()
    const { transcripts, problem } = await listAll(reader, stores[0] as FoundStore)
    expect(problem).toBeNull()
    expect(ids(await readAll(reader, stores[0] as FoundStore, transcripts[0] as FoundTranscript))).toEqual([
      'session',
      'e1',
    ])
    expect(treeOf(root)).toEqual(before)
  })
})

describe('an agent database that another process works on', () => {
  it('is followed while it is written', async () => {
    const { file, database, read, root } = agentStore({ wal: true })
    database.session({ id: 's1', key: 'k', rows: [HEADER], entry: ENTRY })
    database.close()
    const work = await otherProcess(file)
    const seen: string[] = []
    for (let n = 1; n <= 12; n++) {
      await work(ADD(n))
      if (n % 4 === 0) await work('PRAGMA wal_checkpoint(TRUNCATE)')
      if (n === 9) await work('BEGIN IMMEDIATE', `DELETE FROM transcript_events WHERE seq = 0`)
      const before = treeOf(root)
      seen.push(...ids(await read()))
      expect(treeOf(root)).toEqual(before)
      if (n === 9) await work('ROLLBACK')
    }
    expect(seen).toEqual(['session', ...Array.from({ length: 12 }, (_, i) => `e${i + 1}`)])
  })

  it('and closed between the look at its files and their opening, is read from what it left', async () => {
    const { file, database } = agentStore({ wal: true })
    database.session({ id: 's1', key: 'k', rows: [HEADER, row(1)], entry: ENTRY })
    database.close()
    const beside = join(dirname(file), 'beside.sqlite')
    copyFileSync(file, beside)
    const work = await otherProcess(file)
    await work(ADD(2))
    // Questions about databases of one store wait for each other.
    let letGo = () => {}
    const gate = new Promise<void>((done) => {
      letGo = done
    })
    const busy = new SqliteFiles().read(beside, () => gate)
    const sizes = new SqliteFiles().read(file, (snapshot) =>
      snapshot.all('SELECT count(*) AS n FROM transcript_events'),
    )
    await work.close()
    expect(existsSync(`${file}-shm`)).toBe(false)
    letGo()
    await busy
    expect(await sizes).toEqual([{ n: 3 }])
  })

  it('held exclusively in WAL mode, shows what is committed', async () => {
    const { file, database, read, root } = agentStore({ wal: true })
    database.session({ id: 's1', key: 'k', rows: [HEADER, row(1)], entry: ENTRY })
    database.close()
    const work = await otherProcess(file)
    await work('PRAGMA locking_mode = EXCLUSIVE', ADD(2), 'BEGIN EXCLUSIVE', ADD(3))
    const before = treeOf(root)
    expect(ids(await read())).toEqual(['session', 'e1', 'e2'])
    expect(treeOf(root)).toEqual(before)
    await work('COMMIT')
    expect(ids(await read())).toEqual(['e3'])
  })

  it('with a rollback journal in the middle of a write, is locked, with what to do, and read when it is free', async () => {
    const { file, database, discover, list, root } = agentStore()
    database.session({ id: 's1', key: 'k', rows: [HEADER, row(1)], entry: ENTRY })
    database.close()
    const work = await otherProcess(file)
    await work('PRAGMA cache_size = 1', 'BEGIN EXCLUSIVE', MANY)
    expect(readdirSync(join(file, '..'))).toHaveLength(2)
    const before = treeOf(root)
    const [store] = await discover()
    expect(store).toMatchObject({
      state: 'locked',
      problem: expect.stringContaining('locked by another process'),
    })
    expect((await list()).problem).toMatchObject({ code: 'locked', path: file })
    expect(treeOf(root)).toEqual(before)
    await work('COMMIT')
    expect((await discover())[0]).toMatchObject({ state: 'ok' })
    expect((await list()).transcripts).toMatchObject([{ sessionId: 's1', stamp: { size: 4001 } }])
  })

  it('killed in the middle of a write with a rollback journal, says who must finish it', async () => {
    const { file, database, discover, root } = agentStore()
    database.session({ id: 's1', key: 'k', rows: [HEADER, row(1)], entry: ENTRY })
    database.close()
    const work = await otherProcess(file)
    await work('PRAGMA cache_size = 1', 'BEGIN EXCLUSIVE', MANY)
    await work.kill()
    const before = treeOf(root)
    expect((await discover())[0]).toMatchObject({
      state: 'locked',
      problem: expect.stringContaining('in the middle of a write. Start OpenClaw once'),
    })
    expect(treeOf(root)).toEqual(before)
  })

  it.skipIf(!existsSync('/proc/self/fd'))(
    'hundreds of looks leave no descriptor and no lock behind (skipped without /proc)',
    async () => {
      const { file, database, read } = agentStore({ wal: true })
      database.session({ id: 's1', key: 'k', rows: [HEADER], entry: ENTRY })
      database.close()
      const work = await otherProcess(file)
      await work(ADD(1))
      await read()
      for (let n = 0; n < 300; n++) await read()
      const open = readdirSync('/proc/self/fd').filter((fd) => linkOf(fd).startsWith(file))
      expect(open).toEqual([])
      // The last one to close tidies up, which any reader still there would prevent.
      await work.close()
      expect(readdirSync(join(file, '..'))).toEqual(['openclaw-agent.sqlite'])
    },
  )
})

const ADD = (n: number) =>
  `INSERT INTO transcript_events VALUES ('s1', ${n}, '${row(n)}', 1, NULL, NULL, NULL)`
const MANY = `WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
  INSERT INTO transcript_events SELECT 's1', i, '${row(2, 'v'.repeat(200))}', 1, NULL, NULL, NULL FROM n`

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    // Closed since the folder was listed.
    return ''
  }
}

describe('schemas', () => {
  it('an early one (schema 4) is read with the tables it has', async () => {
    const { database, list, read } = agentStore({ schema: 4 })
    database.session({ id: 's1', key: 'agent:main:main', rows: [HEADER, row(1)], entry: ENTRY })
    const { transcripts } = await list()
    expect(transcripts).toMatchObject([
      { sessionId: 's1', key: 'agent:main:main', state: 'live', index: { contextWindow: 64000 } },
    ])
    expect(ids(await read())).toEqual(['session', 'e1'])
  })

  it('a newer one is said to be newer, and shown as far as it goes', async () => {
    const { database, discover, read } = agentStore({ schema: 24 })
    database.session({ id: 's1', key: 'k', rows: [HEADER, row(1)], entry: ENTRY })
    const [store] = await discover()
    expect(store).toMatchObject({ state: 'newer' })
    expect(store?.problem).toMatch(/schema 24; known up to 23.*as far as its tables are still the same/)
    expect(ids(await read())).toEqual(['session', 'e1'])
  })

  it('a newer one with other tables is a problem with what to do', async () => {
    const { database, discover, list } = agentStore({ schema: 30 })
    database.run('ALTER TABLE transcript_events RENAME TO events')
    expect((await discover())[0]).toMatchObject({ state: 'newer' })
    expect(await list()).toMatchObject({ transcripts: [], problem: { code: 'newer' } })
  })

  it('a database without transcripts (before 2026.7.2) is no store', async () => {
    const { database, discover } = agentStore({ schema: 2 })
    database.run('DROP TABLE transcript_events')
    expect(await discover()).toMatchObject([{ era: 'jsonl', state: 'empty' }])
  })

  it('a file that is no database, or a damaged one, says so', async () => {
    const { file, database, discover, list } = agentStore()
    database.session({ id: 's1', key: 'k', rows: [HEADER], entry: ENTRY })
    database.close()
    writeFileSync(file, Buffer.alloc(8192, 7))
    expect((await discover())[0]).toMatchObject({
      state: 'unreadable',
      problem: expect.stringMatching(/^\S+ is not an SQLite database.*"openclaw doctor"/),
    })
    expect((await list()).problem).toMatchObject({ code: 'unreadable' })
    rmSync(file)
    mkdirSync(file)
    expect((await discover())[0]).toMatchObject({ state: 'unreadable' })
  })
})

describe('archived transcripts of an agent database', () => {
  const LINES = storeFixture('pi-version-1.jsonl')

  async function archives() {
    const made = agentStore({ wal: true })
    made.database.session({ id: 's1', key: 'agent:main:main', rows: [HEADER], entry: ENTRY })
    const add = (id: string, reason: string, encoding: string, blob: Buffer, name: string) =>
      made.database.run(
        'INSERT INTO session_transcript_archives VALUES (?, ?, ?, ?, ?, ?, ?, 5)',
        id,
        `g-${id}`,
        'agent:main:old',
        reason,
        encoding,
        blob,
        name,
      )
    add('plain', 'deleted', 'identity', LINES, 'plain.jsonl.deleted.2026-11-21T03-06-14.123Z')
    add(
      'packed',
      'reset',
      'zstd',
      storeFixture('pi-version-1.jsonl.zst'),
      'packed.jsonl.reset.2026-11-21T03-06-14.123Z.zst',
    )
    return made
  }

  it('are listed as such and read', async () => {
    const { list, reader, file } = await archives()
    const { store, transcripts } = await list()
    const find = (id: string) => transcripts.find(({ sessionId }) => sessionId === id) as FoundTranscript
    expect(find('plain')).toMatchObject({
      state: 'deleted',
      key: 'agent:main:old',
      index: null,
      path: `${file}#plain.jsonl.deleted.2026-11-21T03-06-14.123Z`,
    })
    expect(find('packed')).toMatchObject({ state: 'reset' })
    const expected = LINES.toString().trimEnd().split('\n')
    for (const id of ['plain', 'packed']) {
      const { facts, problem, cursor } = await readAll(reader, store, find(id))
      expect(problem).toBeNull()
      expect(facts).toHaveLength(expected.length)
      for (const fact of facts) {
        expect(await reader.source(store, find(id), fact)).toBe(expected[fact.seq])
      }
      expect(await readAll(reader, store, find(id), cursor)).toMatchObject({ facts: [], batches: 0 })
    }
  })

  it('one that is also a file is listed once', async () => {
    const { root, list, discover, reader } = await archives()
    const sessions = join(root, 'agents', 'main', 'sessions')
    mkdirSync(sessions)
    writeFileSync(join(sessions, 'plain.jsonl.deleted.2026-11-21T03-06-14.123Z'), LINES)
    expect((await list()).transcripts.map(({ sessionId }) => sessionId).sort()).toEqual(['packed', 's1'])
    const files = (await discover()).find(({ era }) => era === 'jsonl') as FoundStore
    expect((await listAll(reader, files)).transcripts.map(({ sessionId }) => sessionId)).toEqual(['plain'])
  })

  it('cold storage holds the only copy of a session, in a file or in the database', async () => {
    const { root, database, list, reader } = agentStore({ wal: true })
    const archive = storeFixture('cold-archive.jsonl.zst')
    const name = `${'ab'.repeat(32)}.jsonl.zst`
    const cold = join(root, 'agents', 'main', 'sessions', 'cold')
    mkdirSync(cold, { recursive: true })
    writeFileSync(join(cold, name), archive)
    database
      .session({ id: 'filed', key: 'agent:main:a', rows: [], entry: { ...ENTRY, sessionId: 'filed' } })
      .session({ id: 'kept', key: 'agent:main:b', rows: [] })
      .coldArchives(name, archive)
    const { store, transcripts } = await list()
    expect(transcripts.map(({ sessionId, state }) => [sessionId, state])).toEqual([
      ['filed', 'live'],
      ['kept', 'reset'],
    ])
    const expected = LINES.toString().split('\n').slice(0, 5)
    for (const transcript of transcripts) {
      const { facts, problem } = await readAll(reader, store, transcript)
      expect(problem).toBeNull()
      expect(facts.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4])
      expect(facts[0]?.type).toBe('session')
      for (const fact of facts) {
        expect(await reader.source(store, transcript, fact)).toBe(expected[fact.seq])
      }
    }
    rmSync(join(cold, name))
    expect((await list()).transcripts.map(({ sessionId }) => sessionId)).toEqual(['kept'])
  })
})

describe.skipIf(CORPUS === null)(
  'the database of the real client 2026.9.6 (skipped where the corpus is absent)',
  () => {
    it('is read whole, and each row as the line parser reads its text', async () => {
      const root = join(CORPUS ?? '', 'openclaw-2026.9.6')
      const before = treeOf(root)
      const { stores } = await discoverStores({ env: {}, home: '/nowhere', only: [root] })
      expect(stores).toMatchObject([{ kind: 'openclaw', era: 'sqlite', state: 'ok' }])
      const reader = createStoreReader()
      const store = stores[0] as FoundStore
      const { transcripts } = await listAll(reader, store)
      expect(transcripts).toMatchObject([
        { key: 'agent:main:main', state: 'live', index: { contextWindow: 64000 } },
      ])
      const transcript = transcripts[0] as FoundTranscript
      const { facts } = await readAll(reader, store, transcript)
      expect(facts).toHaveLength(62)
      for (const fact of facts) {
        expect(fact.type).not.toBe('unreadable')
        const text = await reader.source(store, transcript, fact)
        expect(readLine(text, fact).fact).toEqual(fact)
      }
      expect(treeOf(root)).toEqual(before)
      expect(existsSync(`${transcript.path}-wal`)).toBe(false)
    })
  },
)
