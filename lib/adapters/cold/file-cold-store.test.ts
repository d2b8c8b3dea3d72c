import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ColdRecord, coldLine, lineKeptUntil } from '../../core/cold/record'
import type { WriteFiles } from '../../engine/write/write-ports'
import { linkSessionFolderOutside } from '../../testing/hostile/foreign-files-in-cold-storage'
import { MemoryDisk } from '../../testing/memory-disk'
import { temporaryFolder, treeOf } from '../../testing/store-folder'
import { nodeWriteFiles } from '../write/node-write-files'
import { fileColdStore } from './file-cold-store'

const AT = Date.parse('2026-11-02T08:00:00Z')
const ROOT = '/home/agent/cold-storage'

const record = (more: Partial<ColdRecord> = {}): ColdRecord => ({
  chunkId: 'c1',
  sessionId: 's1',
  at: AT,
  content: 'What was said about the harbour.',
  tokens: 7,
  reason: 'low_relevance',
  score: 0.1,
  prompt: 'the pier',
  until: AT + 1000,
  place: null,
  ...more,
})

let count = 0
const open = (files: WriteFiles, root = ROOT) => fileColdStore(files, root, () => `batch${++count}`)
const many = (n: number) => Array.from({ length: n }, (_, i) => record({ chunkId: `c${i}` }))

describe('the layout', () => {
  test('I1: one record in <root>/<session>/<chunk>.jsonl, readable by its owner alone', async () => {
    const root = join(temporaryFolder(), 'cold', 'storage')
    const [stored] = await open(nodeWriteFiles, root).put([record()])
    expect(stored?.file).toBe(join(root, 's1', 'c1.jsonl'))
    expect(readFileSync(join(root, 's1', 'c1.jsonl'), 'utf8')).toBe(`${coldLine(record())}\n`)
    const modes = Object.entries(treeOf(root)).map(([name, text]) => [
      name,
      Number(text.split(' ')[0]) & 0o777,
    ])
    expect(modes).toEqual([
      ['.', 0o700],
      ['index.jsonl', 0o600],
      ['s1', 0o700],
      ['s1/c1.jsonl', 0o600],
    ])
  })

  test('I10: the same id in the same second is another file when it is another chunk', async () => {
    const store = open(new MemoryDisk())
    const stored = await store.put([record(), record({ content: 'Something else.' }), record()])
    expect(stored.map(({ record: { chunkId } }) => chunkId)).toEqual(['c1', 'c1-2', 'c1'])
    await store.put([record({ content: 'A third.' })])
    const { chunks } = await store.list()
    expect(chunks.map(({ chunkId, content }) => [chunkId, content]).sort()).toEqual([
      ['c1', 'What was said about the harbour.'],
      ['c1-2', 'Something else.'],
      ['c1-3', 'A third.'],
    ])
  })

  test('I11: hostile names stay inside the root, and links are not followed', async () => {
    const folder = temporaryFolder()
    const root = join(folder, 'cold')
    const ids = ['../x', '/etc/passwd', '..', '', 'a\u0000b', '..\\x', 'é'.repeat(300), '.journal', 'index']
    const store = open(nodeWriteFiles, root)
    for (const id of ids) await store.put([record({ sessionId: id || 's', chunkId: id || 'c' })])
    expect(readdirSync(folder)).toEqual(['cold'])
    expect((await store.list()).chunks).toHaveLength(ids.length)
    const elsewhere = join(folder, 'elsewhere')
    mkdirSync(elsewhere)
    writeFileSync(join(elsewhere, 'c.jsonl'), `${coldLine(record({ sessionId: 'link' }))}\n`)
    symlinkSync(elsewhere, join(root, 'link'))
    expect((await store.list()).chunks).toHaveLength(ids.length)
    await expect(store.put([record({ sessionId: 'link' })])).rejects.toMatchObject({ code: 'ENOTDIR' })
    expect(readdirSync(elsewhere)).toEqual(['c.jsonl'])
  })
})

describe('what is damaged', () => {
  test('I10: is counted and left alone; all else is there', async () => {
    const disk = new MemoryDisk()
    const store = open(disk)
    await store.put([record()])
    await disk.put(`${ROOT}/s1/torn.jsonl`, coldLine(record({ chunkId: 'torn' })).slice(0, 60))
    await disk.put(`${ROOT}/s1/messages.jsonl`, '{"role":"user","content":"hello"}\n')
    await disk.put(`${ROOT}/s2/c9.jsonl`, `${coldLine(record({ chunkId: 'c9', sessionId: 'other' }))}\n`)
    await disk.put(`${ROOT}/s3/two.jsonl`, `${coldLine(record({ sessionId: 's3' }))}\nnonsense\n`)
    const { chunks, problems } = await store.list()
    expect(chunks.map(({ sessionId }) => sessionId)).toEqual(['s1', 's3'])
    expect(problems.map(({ file, line, kind }) => [file, line, kind]).sort()).toEqual([
      [`${ROOT}/s1/messages.jsonl`, 1, 'archive'],
      [`${ROOT}/s1/torn.jsonl`, 1, 'torn'],
      [`${ROOT}/s2/c9.jsonl`, 1, 'foreign'],
      [`${ROOT}/s3/two.jsonl`, 2, 'torn'],
    ])
  })

  test('as long as nothing changes, nothing is read again, also while there are journals', async () => {
    const disk = new MemoryDisk()
    const store = open(disk)
    await store.put(many(3))
    const first = await store.list()
    expect(await store.list()).toBe(first)
    await store.put(many(4))
    expect((await store.list()).chunks).toHaveLength(4)
  })

  test('a store that is not there is empty', async () => {
    expect(await open(new MemoryDisk()).list()).toEqual({ chunks: [], problems: [] })
  })
})

describe('storing for good', () => {
  test('a batch is flushed once', async () => {
    const disk = new MemoryDisk()
    let flushed = 0
    const files: WriteFiles = Object.assign(Object.create(disk) as MemoryDisk, {
      create: async (path: string, mode: number) => {
        const file = await disk.create(path, mode)
        const sync = async () => {
          flushed += 1
          await file.sync()
        }
        return { ...file, sync }
      },
    })
    await open(files).put(many(100))
    expect(flushed).toBe(1)
  })

  test('I1, I10: a loss of power after it loses nothing, and all is distinguished from what was torn', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 30, maxLength: 60 }),
        fc.boolean(),
        async (n, luck, settle) => {
          const disk = new MemoryDisk()
          const store = open(disk)
          await store.put(many(n))
          // Taking something else away settles the journals.
          if (settle) await store.remove([])
          let i = 0
          disk.losePower(() => luck[i++ % luck.length] ?? 0)
          const { chunks } = await open(disk).list()
          expect(chunks.map(({ chunkId }) => chunkId).sort()).toEqual(many(n).map(({ chunkId }) => chunkId))
        },
      ),
    )
  })

  test('a full disk keeps none of them', async () => {
    for (const room of [0, 100, 700, 1500]) {
      const disk = new MemoryDisk()
      const store = open(disk)
      disk.room = room
      await expect(store.put(many(3))).rejects.toMatchObject({ code: 'ENOSPC' })
      expect(await store.list()).toEqual({ chunks: [], problems: [] })
    }
  })
})

describe('taking away (I3)', () => {
  test('file and line of the index, and nothing else; no journal brings it back', async () => {
    const disk = new MemoryDisk()
    const store = open(disk)
    await store.put(many(3))
    const { chunks } = await store.list()
    expect(await store.remove(chunks.filter(({ chunkId }) => chunkId !== 'c1'))).toBe(2)
    expect((await open(disk).list()).chunks.map(({ chunkId }) => chunkId)).toEqual(['c1'])
    const index = (disk.text(`${ROOT}/index.jsonl`) ?? '').trimEnd().split('\n')
    expect(index.map((line) => JSON.parse(line).chunk_id)).toEqual(['c1'])
    expect(await disk.list(`${ROOT}/.journal`)).toEqual([])
  })

  test('what is kept longer than it was when it was looked at stays, in its file and in the index', async () => {
    const disk = new MemoryDisk()
    const store = open(disk)
    await store.put(many(2))
    const { chunks } = await store.list()
    const [first] = chunks
    await store.extend(first === undefined ? [] : [first], AT + 99 * 86_400_000)
    expect(await store.remove(chunks)).toBe(1)
    expect((await store.list()).chunks.map(({ chunkId }) => chunkId)).toEqual([first?.chunkId])
    const index = (disk.text(`${ROOT}/index.jsonl`) ?? '').trimEnd().split('\n')
    expect(index.map((line) => JSON.parse(line).chunk_id)).toEqual([first?.chunkId])
  })

  test('of a file with several records only the lines that are meant', async () => {
    const disk = new MemoryDisk()
    const [a, b] = [record({ chunkId: 'a' }), record({ chunkId: 'b' })]
    await disk.put(`${ROOT}/s1/many.jsonl`, `${coldLine(a)}\nnonsense\n${coldLine(b)}\n`)
    const store = open(disk)
    const { chunks } = await store.list()
    await store.remove(chunks.filter(({ chunkId }) => chunkId === 'a'))
    expect(disk.text(`${ROOT}/s1/many.jsonl`)).toBe(`nonsense\n${coldLine(b)}\n`)
  })
})

test('I3: a chunk is kept longer; the rest of its record, and others beside it, stay to the byte', async () => {
  const disk = new MemoryDisk()
  const store = open(disk)
  await store.put([record(), record({ chunkId: 'c2' })])
  const [chunk] = (await store.list()).chunks.filter(({ chunkId }) => chunkId === 'c1')
  const later = AT + 90 * 86_400_000
  expect(await store.extend(chunk === undefined ? [] : [chunk], later)).toBe(1)
  const { chunks } = await open(disk).list()
  expect(chunks.map(({ file, ...one }) => one)).toEqual(
    expect.arrayContaining([record({ until: later }), record({ chunkId: 'c2' })]),
  )
  const named = `{"chunkId":"x","sessionId":"s1","timestamp":"2026-01-01T00:00:00Z","content":"a","recoverableUntil":"2026-02-01T00:00:00Z","mood":"glum"}`
  expect(JSON.parse(lineKeptUntil(named, later) ?? '')).toEqual({
    ...JSON.parse(named),
    recoverableUntil: new Date(later).toISOString(),
  })
  expect(lineKeptUntil('{"chunk_id":"x"', later)).toBeNull()
})

describe('files of others in the folder of cold storage', () => {
  test('I11: a journal fills no folder through a link, and replaces no file but what a crash left of its record', async () => {
    const [root, outside] = [temporaryFolder(), temporaryFolder()]
    const victim = linkSessionFolderOutside(root, outside)
    writeFileSync(join(outside, 'journal.jsonl'), `${coldLine(record())}\n`)
    mkdirSync(join(root, 's2'))
    writeFileSync(join(root, 's2', 'c2.jsonl'), 'a page of a diary\n')
    writeFileSync(
      join(root, '.journal', '2.jsonl'),
      `${coldLine(record({ sessionId: 's2', chunkId: 'c2' }))}\n`,
    )
    await open(nodeWriteFiles, root).remove([])
    expect(readFileSync(victim, 'utf8')).toBe('mine\n')
    expect(readdirSync(outside).sort()).toEqual(['chunk.jsonl', 'journal.jsonl'])
    expect(readFileSync(join(root, 's2', 'c2.jsonl'), 'utf8')).toBe('a page of a diary\n')
    expect(readdirSync(join(root, '.journal'))).toEqual(['1.jsonl', '2.jsonl'])
  })

  test('I3: what is no journal, a folder of journals that is a link, and files with a second name stay', async () => {
    const [root, outside] = [temporaryFolder(), temporaryFolder()]
    const store = open(nodeWriteFiles, root)
    const [, shared] = await store.put([record(), record({ chunkId: 'c2' })])
    linkSync(shared?.file ?? '', join(outside, 'c2.jsonl'))
    await store.remove([])
    writeFileSync(join(root, '.journal', 'diary.jsonl'), 'Dear diary\n')
    expect(await store.remove((await store.list()).chunks)).toBe(1)
    expect(await store.extend((await store.list()).chunks, AT + 9e9)).toBe(0)
    expect(readdirSync(join(root, 's1'))).toEqual(['c2.jsonl'])
    expect(readdirSync(join(root, '.journal'))).toEqual(['diary.jsonl'])
    rmSync(join(root, '.journal'), { recursive: true })
    writeFileSync(join(outside, 'x.jsonl'), `${coldLine(record({ sessionId: 's3' }))}\n`)
    symlinkSync(outside, join(root, '.journal'))
    await store.remove([])
    expect(readdirSync(outside).sort()).toEqual(['c2.jsonl', 'x.jsonl'])
    expect((await store.list()).chunks.map(({ chunkId }) => chunkId)).toEqual(['c2'])
  })

  test('I2: an index of others is not added to, and a link under the name of a prepared file stops the write', async () => {
    const [root, outside] = [temporaryFolder(), temporaryFolder()]
    writeFileSync(join(root, 'index.jsonl'), '{"page":1}\n')
    const store = open(nodeWriteFiles, root)
    await store.put([record()])
    expect(readFileSync(join(root, 'index.jsonl'), 'utf8')).toBe('{"page":1}\n')
    writeFileSync(join(outside, 'mine'), 'mine')
    symlinkSync(join(outside, 'mine'), join(root, 's1', 'c1.jsonl.plimsoll.tmp'))
    await expect(store.extend((await store.list()).chunks, AT + 9e9)).rejects.toThrow('did not make')
    expect(readFileSync(join(outside, 'mine'), 'utf8')).toBe('mine')
    expect(readFileSync(join(root, 's1', 'c1.jsonl'), 'utf8')).toBe(`${coldLine(record())}\n`)
  })
})
