import { appendFileSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ArchiveKeeper } from '../../engine/archive/archive-keeper'
import { readArchived } from '../../engine/archive/read-archived'
import type { FoundStore, FoundTranscript } from '../../engine/read/ports'
import { AgentDatabaseBuilder } from '../../testing/builders/agent-database'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import {
  listAll,
  readAll,
  storeFixture,
  temporaryFolder,
  treeOf,
  writeFiles,
} from '../../testing/store-folder'
import { discoverStores } from '../discovery/discover'
import { createStoreReader } from '../stores/store-reader'
import { sha256 } from '../write/sha256'
import { archiveSources } from './archive-sources'
import { withArchive } from './archived-reader'
import { openArchiveFolder } from './open-archive'

function transcript(id: string, turns: number): string {
  const builder = new TranscriptBuilder({ id })
  for (let i = 0; i < turns; i++) {
    builder.user(`Where are we, ${i}? ${'🐚 '.repeat(200)}`)
    builder.assistant('At sea.', { usage: { input: 1000 + i, output: 20 } })
  }
  return builder.text()
}

async function world(files: Record<string, string>, home = temporaryFolder()) {
  writeFiles(home, files)
  const root = join(home, 'archive')
  const folder = openArchiveFolder(root, Date.now)
  const plain = createStoreReader({ lastLine: 'take-whole' })
  const reader = withArchive(plain, folder, root)
  const { stores } = await discoverStores({ home, env: {}, only: [join(home, 'store')] })
  const [store] = stores
  if (store === undefined) throw new Error('no store')
  const keeper = new ArchiveKeeper({
    folder,
    sources: archiveSources(plain),
    sha256,
    clock: { now: Date.now },
    limits: { quotaBytes: 1e9, keepMs: 1e9 },
    deletionOf: () => null,
  })
  const keep = async () => {
    keeper.takeListing(store, (await listAll(reader, store)).transcripts, true)
    const report = await keeper.pass({ eager: true })
    expect(report.problems).toEqual([])
    return report
  }
  return { home, root, folder, reader, plain, store, keep }
}

async function only(
  reader: Awaited<ReturnType<typeof world>>['reader'],
  store: FoundStore,
): Promise<FoundTranscript> {
  const { transcripts } = await listAll(reader, store)
  const gone = transcripts.filter(({ state }) => state === 'gone')
  const [first] = gone
  if (first === undefined || gone.length > 1) throw new Error(`${gone.length} are gone`)
  return first
}

describe('a transcript that was deleted', () => {
  it('is listed as gone, and reads as it did: all entries, each text, and from a cursor on', async () => {
    const { home, reader, store, keep } = await world({
      'store/a.jsonl': transcript('a', 1500),
      'store/b.jsonl': transcript('b', 1),
    })
    expect(await keep()).toMatchObject({ copied: 2 })
    const { transcripts } = await listAll(reader, store)
    const before = transcripts.find(({ path }) => path.endsWith('a.jsonl'))
    if (before === undefined) throw new Error('not listed')
    const read = await readAll(reader, store, before)
    rmSync(join(home, 'store', 'a.jsonl'))
    expect(await keep()).toMatchObject({ gone: [before.id] })
    const gone = await only(reader, store)
    expect(gone).toMatchObject({ id: before.id, path: before.path, state: 'gone', stamp: before.stamp })
    const again = await readAll(reader, store, gone)
    expect(again.problem).toBeNull()
    expect(again.facts).toEqual(read.facts)
    expect(again.cursor).toEqual(read.cursor)
    const last = read.facts.at(-1)
    if (last === undefined) throw new Error('no facts')
    expect(JSON.parse(await reader.source(store, gone, last))).toMatchObject({
      message: { role: 'assistant' },
    })
    const texts: string[] = []
    for await (const text of reader.texts?.(store, gone, read.facts.slice(5, 8)) ?? []) texts.push(text)
    expect(texts).toEqual(transcript('a', 1500).split('\n').slice(5, 8))
    const whole = Buffer.from(transcript('a', 1500))
    for (const [from, to] of [[], [700_000], [5, 905]]) {
      const bytes: Buffer[] = []
      for await (const piece of reader.bytes?.(store, gone, from, to) ?? []) bytes.push(Buffer.from(piece))
      expect(Buffer.concat(bytes).equals(whole.subarray(from, to))).toBe(true)
    }
    // An import that had read all of it reads nothing again.
    expect(await readAll(reader, store, gone, read.cursor)).toMatchObject({
      facts: [],
      start: { restarted: false },
    })
  })

  it('keeps what was read behind the end of its copy', async () => {
    const { home, reader, store, keep } = await world({ 'store/a.jsonl': transcript('a', 3) })
    await keep()
    appendFileSync(join(home, 'store', 'a.jsonl'), `${transcript('a', 4).split('\n').slice(-3).join('\n')}`)
    const [listed] = (await listAll(reader, store)).transcripts
    if (listed === undefined) throw new Error('not listed')
    const { cursor } = await readAll(reader, store, listed)
    rmSync(join(home, 'store', 'a.jsonl'))
    await keep()
    const gone = await only(reader, store)
    const again = await readAll(reader, store, gone, cursor)
    expect(again).toMatchObject({ facts: [], start: { restarted: false }, problem: null })
    expect(again.cursor).toMatchObject({ ...gone.stamp, offset: cursor?.offset })
  })

  it('is not gone when it was only renamed, and back when it is back', async () => {
    const { home, reader, store, keep } = await world({
      'store/sessions.json': '{}',
      'store/a.jsonl': transcript('a', 1),
    })
    await keep()
    const file = join(home, 'store', 'a.jsonl')
    renameSync(file, `${file}.deleted.2026-11-01T00-00-00.000Z`)
    expect(await keep()).toMatchObject({ copied: 1, added: 0, gone: [] })
    expect((await listAll(reader, store)).transcripts.map(({ state }) => state)).toEqual(['deleted'])
    rmSync(`${file}.deleted.2026-11-01T00-00-00.000Z`)
    await keep()
    expect((await listAll(reader, store)).transcripts.map(({ state }) => state)).toEqual(['gone'])
    writeFileSync(`${file}.deleted.2026-11-01T00-00-00.000Z`, transcript('a', 1))
    await keep()
    expect((await listAll(reader, store)).transcripts.map(({ state }) => state)).toEqual(['deleted'])
  })

  it('that is not in the archive says so', async () => {
    const { reader, store } = await world({ 'store/a.jsonl': transcript('a', 1) })
    const [listed] = (await listAll(reader, store)).transcripts
    if (listed === undefined) throw new Error('not listed')
    const gone = { ...listed, state: 'gone' } as const
    expect((await readAll(reader, store, gone)).problem).toMatchObject({
      message: expect.stringMatching(/is not there any more, and the archive has no copy of it/),
    })
  })

  it('whose copy is damaged says so, and nothing half of it is read', async () => {
    const { home, root, reader, folder, store, keep } = await world({ 'store/a.jsonl': transcript('a', 1) })
    await keep()
    rmSync(join(home, 'store', 'a.jsonl'))
    await keep()
    const [hash = ''] = [...(await folder.blocks()).keys()]
    writeFileSync(join(root, 'blocks', hash.slice(0, 2), `${hash}.br`), 'rubbish')
    const { facts, problem } = await readAll(reader, store, await only(reader, store))
    expect([facts, problem]).toEqual([[], expect.objectContaining({ code: 'unreadable' })])
  })

  it.each([
    ['a compressed file', 'store/a.jsonl.reset.2026-11-01T00-00-00.000Z.zst', 'pi-version-1.jsonl.zst'],
    ['a file of the first version', 'store/a.jsonl', 'pi-version-1.jsonl'],
  ])('reads as it did, if it was %s', async (_, name, fixture) => {
    const { home, reader, store, keep } = await world({ 'store/sessions.json': '{}', 'store/b.jsonl': '' })
    writeFileSync(join(home, name), storeFixture(fixture))
    await keep()
    const before = (await listAll(reader, store)).transcripts.find(({ path }) => path === join(home, name))
    if (before === undefined) throw new Error('not listed')
    const read = await readAll(reader, store, before)
    expect(read.facts.length).toBeGreaterThan(2)
    rmSync(join(home, name))
    await keep()
    const gone = await only(reader, store)
    const { facts, cursor, problem } = await readAll(reader, store, gone)
    expect([facts, cursor, problem]).toEqual([read.facts, read.cursor, null])
  })

  it('is kept as lines, if it was in a database', async () => {
    const home = temporaryFolder()
    const file = join(home, 'store', 'agents', 'main', 'agent', 'openclaw-agent.sqlite')
    const database = new AgentDatabaseBuilder(file)
    onTestFinished(() => database.close())
    const rows = transcript('s1', 40).trimEnd().split('\n')
    database.session({ id: 's1', key: 'agent:main:main', rows, entry: { sessionId: 's1' } })
    const { reader, store, keep } = await world({}, home)
    expect(store.era).toBe('sqlite')
    expect(await keep()).toMatchObject({ copied: 1 })
    expect(await keep()).toMatchObject({ copied: 0 })
    const [before] = (await listAll(reader, store)).transcripts
    if (before === undefined) throw new Error('not listed')
    const read = await readAll(reader, store, before)
    const ids = ({ facts }: typeof read) => facts.map(({ id, type, seq }) => [id, type, seq])
    for (const table of ['transcript_events', 'session_nodes', 'session_windows']) {
      database.connection.exec(`DELETE FROM ${table}`)
    }
    expect(await keep()).toMatchObject({ gone: [before.id] })
    const gone = await only(reader, store)
    // Places are other ones now: an import begins anew.
    const again = await readAll(reader, store, gone, read.cursor)
    expect(again.start).toMatchObject({ restarted: true })
    expect(ids(again)).toEqual(ids(read))
    expect(await readAll(reader, store, gone, again.cursor)).toMatchObject({ facts: [], problem: null })
    const fact = again.facts[3]
    expect(await reader.source(store, gone, fact ?? { offset: 0, bytes: 0, seq: 0 })).toBe(rows[3])
  })
})

describe('copying', () => {
  it('changes nothing in the store', async () => {
    const { home, keep } = await world({ 'store/a.jsonl': transcript('a', 5) })
    utimesSync(join(home, 'store', 'a.jsonl'), 1_790_000_000, 1_790_000_000)
    const before = treeOf(join(home, 'store'))
    await keep()
    expect(treeOf(join(home, 'store'))).toEqual(before)
  })

  it('copies what cannot be parsed byte for byte, too', async () => {
    const { home, folder, reader, store, keep } = await world({ 'store/a.jsonl': transcript('a', 1) })
    const rubbish = Buffer.from([0, 255, 10, 13, 10, 123, 0xf0, 0x9f])
    writeFileSync(join(home, 'store', 'a.jsonl'), rubbish)
    await keep()
    const [listed] = (await listAll(reader, store)).transcripts
    const version = await folder.newest(listed?.id ?? '')
    if (version === null) throw new Error('not kept')
    const blocks = []
    for await (const block of readArchived({ folder, sha256 }, version)) blocks.push(block)
    expect(Buffer.concat(blocks).equals(rubbish)).toBe(true)
    expect(readFileSync(join(home, 'store', 'a.jsonl')).equals(rubbish)).toBe(true)
  })
})
