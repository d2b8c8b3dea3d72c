import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ColdRecord, coldLine } from '../../core/cold/record'
import { ColdIndexFile } from '../../db/sqlite/cold-index'
import { LocalConnection } from '../../db/sqlite/local-connection'
import type { ColdIndex, ColdScan } from '../../engine/cold/cold-index'
import { IndexedCold } from '../../engine/cold/indexed-cold'
import { purgeCold } from '../../engine/cold/purge-cold'
import { ANY_CHUNK, ColdLibrary } from '../../engine/cold/search-cold'
import { temporaryFolder } from '../../testing/store-folder'
import { nodeWriteFiles } from '../write/node-write-files'
import { fileColdStore } from './file-cold-store'
import { Journals } from './journals'
import { coldScanner } from './scan-cold'

const NOW = Date.parse('2026-11-02T08:00:00Z')
const DAY = 86_400_000

const record = (chunkId: string, content: string, more: Partial<ColdRecord> = {}): ColdRecord => ({
  chunkId,
  sessionId: 's1',
  at: NOW - DAY,
  content,
  tokens: 7,
  reason: 'low_relevance',
  score: 0.1,
  prompt: 'the pier',
  until: NOW + DAY,
  place: null,
  ...more,
})

function world() {
  const folder = temporaryFolder()
  const root = join(folder, 'cold')
  const store = fileColdStore(nodeWriteFiles, root, () => `batch${Math.random()}`)
  const database = join(folder, 'cold-index.db')
  const written: ColdScan[] = []
  const open = (now = NOW) => {
    const index = new ColdIndexFile(new LocalConnection(database), root)
    const noted: ColdIndex = new Proxy(index, {
      get: (target, name) =>
        name === 'write'
          ? (scans: readonly ColdScan[]) => {
              written.push(...scans)
              return target.write(scans)
            }
          : Reflect.get(target, name).bind(target),
    })
    return new IndexedCold(
      noted,
      coldScanner(nodeWriteFiles, root, new Journals(nodeWriteFiles, root)),
      () => now,
    )
  }
  const put = (one: ColdRecord, text = `${coldLine(one)}\n`) => {
    mkdirSync(join(root, one.sessionId), { recursive: true })
    writeFileSync(join(root, one.sessionId, `${one.chunkId}.jsonl`), text)
  }
  /** As if the folders had been at rest for a while. */
  const settle = (...sessions: string[]) => {
    for (const session of sessions) utimesSync(join(root, session), new Date(NOW), new Date(NOW))
  }
  const ids = async (cold: IndexedCold, words: string | null, filter = {}) =>
    (await cold.search(words, { ...ANY_CHUNK, ...filter }, 50)).found.map(({ chunk }) => chunk.chunkId)
  return { folder, root, store, open, put, settle, ids, written }
}

describe('the index of cold storage', () => {
  test('I4: finds as the files have it, ranked, whatever the case and punctuation, and outlives its process', async () => {
    const { open, put, ids, settle, written } = world()
    put(record('a', 'Topic7, topic7 and the harbour wall.'))
    put(record('b', 'The harbour crane.', { sessionId: 's2', score: 0.6, reason: 'budget' }))
    put(record('c', 'Nothing of it.'))
    settle('s1', 's2')
    const first = open()
    expect(await ids(first, 'HARBOUR topic7')).toEqual(['a', 'b'])
    expect(await ids(first, 'crâne')).toEqual(['b'])
    expect(await ids(first, 'the cra')).toEqual(expect.arrayContaining(['b']))
    expect(await ids(first, 'cra.')).toEqual([])
    expect(await ids(first, '"; DROP OR NEAR(')).toEqual([])
    expect(await ids(first, 'harbour', { session: 's2' })).toEqual(['b'])
    expect(await ids(first, null, { minScore: 0.5 })).toEqual(['b'])
    expect(await ids(first, null, { reason: 'low_relevance' })).toEqual(['c', 'a'])
    expect((await first.named('a')).map(({ content }) => content)).toEqual([
      'Topic7, topic7 and the harbour wall.',
    ])
    const before = written.length
    expect(await ids(open(), 'harbour')).toEqual(expect.arrayContaining(['a', 'b']))
    expect(written).toHaveLength(before)
  })

  test('I4: words that every chunk has find in one session what they find there among all, in the same order', async () => {
    const { open, put } = world()
    const sessions = ['s1', 's2', 'a session: "of" one AND more']
    for (let i = 0; i < 60; i++) {
      const content = `the harbour ${'tide '.repeat(i % 7)}${i % 9 === 0 ? 'crane' : ''} s1 s2 ${i}`
      put(record(`c${i}`, content, { sessionId: sessions[i % 3] ?? '' }))
    }
    const cold = open()
    for (const words of ['the harbour', 'tide', 'the crane', 's2 harbour', 'the har']) {
      const all = (await cold.search(words, ANY_CHUNK, 100)).found
      expect(all.length).toBeGreaterThan(40)
      for (const session of sessions) {
        const { found } = await cold.search(words, { ...ANY_CHUNK, session }, 100)
        expect(found).toEqual(all.filter(({ chunk }) => chunk.sessionId === session))
        const few = (await cold.search(words, { ...ANY_CHUNK, session }, 3)).found
        expect(few.every(({ chunk }) => chunk.sessionId === session)).toBe(true)
        expect(few).toHaveLength(3)
      }
    }
    expect((await cold.search('the', { ...ANY_CHUNK, session: 's3' }, 10)).found).toEqual([])
  })

  test('I4: an ordinary question finds the long chunk whose passage answers it, as the search without an index does', async () => {
    const { open, put, store } = world()
    const noise = (n: number) => Array.from({ length: 900 }, (_, i) => `reading${(i * 7 + n) % 61}`).join(' ')
    for (let i = 0; i < 30; i++)
      put(record(`c${i}`, `Pier ${i + 20} was swept; the hoist is fine. ${noise(i)}`))
    put(record('long', `${noise(5)} The cranes' torques at pier seven: 412kNm each. ${noise(3)}`))
    put(record('far', `crane ${noise(5)} torque ${noise(3)} pier ${noise(2)} 7`))
    const cold = open()
    const library = new ColdLibrary(store, () => NOW)
    for (const question of [
      'How much torque has the crane at pier 7?',
      'torque of cranes',
      'Which crane has 412 kNm?',
    ]) {
      const [indexed] = (await cold.search(question, ANY_CHUNK, 5)).found
      const [plain] = (await library.search(question, ANY_CHUNK, 5)).found
      expect([question, indexed?.chunk.chunkId]).toEqual([question, 'long'])
      expect(plain?.chunk.chunkId).toBe('long')
      expect(indexed?.rank).toBeCloseTo(plain?.rank ?? 0, 6)
    }
  })

  test('I4: texts without spaces between words are found by their parts, as the search without an index finds them', async () => {
    const { open, put, store } = world()
    const texts = [
      '昨天讨论了港口的起重机',
      '港のクレーンは移された',
      'ท่าเรือและปั้นจั่น',
      'the harbour crane',
      '面包烤四十分钟',
    ]
    for (const [i, text] of texts.entries()) put(record(`c${i}`, text, { at: NOW - DAY + i }))
    const cold = open()
    const library = new ColdLibrary(store, () => NOW)
    const found = async (words: string) =>
      await Promise.all(
        [cold, library].map(async (finder) =>
          (await finder.search(words, ANY_CHUNK, 50)).found.map(({ chunk }) => chunk.chunkId),
        ),
      )
    const both = (...ids: string[]) => [ids, ids]
    expect(await found('起重机')).toEqual(both('c0'))
    expect(await found('クレーン')).toEqual(both('c1'))
    expect(await found('ปั้นจั่น')).toEqual(both('c2'))
    expect(await found('面')).toEqual(both('c4'))
    expect((await found('港')).map((ids) => ids.sort())).toEqual(both('c0', 'c1'))
    expect(await found('重口')).toEqual(both())
  })

  test('I4: a filter that leaves out the best ones finds what comes after them', async () => {
    const { open, put, ids } = world()
    for (let i = 0; i < 60; i++)
      put(
        record(`c${i}`, `harbour ${i < 58 ? 'harbour' : 'and nothing more of any note'}`, {
          score: i < 58 ? 0.1 : 0.6,
        }),
      )
    const cold = open()
    const { found } = await cold.search('harbour', { ...ANY_CHUNK, minScore: 0.5 }, 2)
    expect(found.map(({ chunk }) => chunk.chunkId).sort()).toEqual(['c58', 'c59'])
    expect(await ids(cold, 'harbour', { minScore: 0.5 })).toHaveLength(2)
    const paged = [0, 20, 40].map((skip) => cold.searchNow('harbour', ANY_CHUNK, 20, skip).found)
    expect(paged.flat()).toEqual(cold.searchNow('harbour', ANY_CHUNK, 100).found)
  })

  test('I4: reads again only what came, went or was replaced', async () => {
    const { root, open, put, ids, settle, written } = world()
    for (let i = 0; i < 20; i++) put(record(`c${i}`, `text ${i}`))
    put(record('other', 'text', { sessionId: 's2' }))
    settle('s1', 's2')
    const cold = open()
    await cold.refresh()
    written.length = 0
    put(record('new', 'a new text'))
    rmSync(join(root, 's1', 'c0.jsonl'))
    expect(await ids(cold, 'new')).toEqual(['new'])
    expect(await ids(cold, '0')).toEqual([])
    const files = written.flatMap((scan) => scan.files.map(({ path }) => path))
    expect(files).toEqual([join(root, 's1', 'new.jsonl')])
    expect(new Set(written.map(({ folder }) => folder))).toEqual(new Set(['s1']))
    rmSync(join(root, 's2'), { recursive: true })
    expect(await ids(cold, null, { session: 's2' })).toEqual([])
  })

  test('I3: expired chunks are counted, not offered, and listed for a purge; the rest stays', async () => {
    const { open, put, ids, store } = world()
    put(record('old', 'harbour', { until: NOW - 1 }))
    put(record('young', 'harbour'))
    const cold = open()
    expect(await ids(cold, 'harbour')).toEqual(['young'])
    expect(await ids(cold, null, { expired: true })).toHaveLength(2)
    expect(cold.counts()).toMatchObject({ chunks: 2, expired: 1 })
    expect(await store.remove((await cold.expired()).chunks)).toBe(1)
    await cold.refresh()
    expect(cold.counts()).toMatchObject({ chunks: 1, expired: 0 })
  })

  test('I3: a purge reads no file but those that the index says have expired', async () => {
    const { root, open, put, settle, store } = world()
    for (let i = 0; i < 20; i++) put(record(`c${i}`, `text ${i}`, { until: i < 3 ? NOW - 1 : NOW + DAY }))
    settle('s1')
    await open().refresh()
    const scanned: string[] = []
    const scanner = coldScanner(nodeWriteFiles, root, new Journals(nodeWriteFiles, root))
    const load = (file: string, line: number) => {
      scanned.push(file)
      return scanner.load(file, line)
    }
    const index = new ColdIndexFile(new LocalConnection(join(root, '..', 'cold-index.db')), root)
    const cold = new IndexedCold(index, { ...scanner, load }, () => NOW)
    const dry = await purgeCold(store, cold, { apply: false })
    expect(dry).toMatchObject({ removed: null, keep: 17, tokens: 21 })
    expect(scanned).toHaveLength(3)
    expect(await purgeCold(store, cold, { apply: true })).toMatchObject({ removed: 3, keep: 17 })
    expect(readdirSync(join(root, 's1'))).toHaveLength(17)
  })

  test('I3: what the index has wrong is not removed: kept longer meanwhile, replaced, or not to be read', async () => {
    const { folder, root, open, put, settle, store } = world()
    for (const id of ['old', 'longer', 'other', 'linked', 'torn', 'late'])
      put(record(id, id, { until: NOW - 1 }))
    settle('s1')
    const cold = open()
    await cold.refresh()
    const path = (id: string) => join(root, 's1', `${id}.jsonl`)
    put(record('longer', 'longer', { until: NOW + DAY }))
    put(record('other', 'other'), '{"role":"user","content":"a message of somebody else"}\n')
    put(record('torn', 'torn'), coldLine(record('torn', 'torn', { until: NOW - 1 })).slice(0, -9))
    rmSync(path('linked'))
    const secret = join(folder, 'secret.jsonl')
    writeFileSync(secret, `${coldLine(record('linked', 'linked', { until: NOW - 1 }))}\n`)
    symlinkSync(secret, path('linked'))
    // The folder tells nothing of it.
    settle('s1')
    const { chunks, problems, keep } = await cold.expired()
    expect(chunks.map(({ chunkId }) => chunkId).sort()).toEqual(['late', 'old'])
    expect(keep).toBe(1)
    expect(problems).toMatchObject([{ file: path('linked'), kind: 'unreadable' }])
    // Somebody keeps it longer between the look and the purge.
    await store.extend(
      chunks.filter(({ chunkId }) => chunkId === 'late'),
      NOW + DAY,
    )
    expect(await store.remove(chunks)).toBe(1)
    expect(readdirSync(join(root, 's1')).sort()).toEqual(
      ['late', 'linked', 'longer', 'other', 'torn'].map((id) => `${id}.jsonl`),
    )
    expect(readFileSync(secret, 'utf8')).toContain('linked')
  })

  test('I10: a record with odd fields is found and kept, and what is odd is reported with file and line', async () => {
    const { root, open, put, ids, store } = world()
    put(record('odd', ''), '{"chunk_id":"odd","session_id":"s1","content":"the harbour","tokens":-5}\n')
    put(record('sound', 'the harbour'))
    const cold = open()
    expect((await ids(cold, 'harbour')).sort()).toEqual(['odd', 'sound'])
    expect(await ids(cold, null)).toEqual(['sound', 'odd'])
    expect(await ids(cold, null, { expired: 'only' })).toEqual([])
    expect(await ids(cold, null, { since: 0 })).toEqual(['sound'])
    expect((await cold.expired()).chunks).toEqual([])
    const recorded = (await cold.search('harbour', ANY_CHUNK, 5)).problems
    expect(recorded.map(({ file, line, kind, why }) => [file, line, kind, why.split(':')[0]])).toEqual([
      [join(root, 's1', 'odd.jsonl'), 1, 'odd', 'tokens is -5 and not a number of at least 0'],
      [join(root, 's1', 'odd.jsonl'), 1, 'odd', 'timestamp is missing'],
      [join(root, 's1', 'odd.jsonl'), 1, 'odd', 'recoverable_until is missing'],
    ])
    const listed = await store.list()
    expect(listed.chunks.map(({ chunkId }) => chunkId)).toEqual(['sound', 'odd'])
    const library = new ColdLibrary(store, () => NOW)
    expect((await library.search(null, { ...ANY_CHUNK, since: 0 }, 9)).found).toHaveLength(1)
  })

  test('I10: torn, foreign and linked records are counted and said, never found', async () => {
    const { folder, root, open, put, ids } = world()
    put(record('whole', 'harbour'))
    put(record('torn', ''), coldLine(record('torn', 'harbour')).slice(0, -9))
    put(record('foreign', ''), `${coldLine(record('foreign', 'harbour', { sessionId: '../x' }))}\n`)
    const secret = join(folder, 'secret.jsonl')
    writeFileSync(secret, coldLine(record('linked', 'harbour')))
    symlinkSync(secret, join(root, 's1', 'linked.jsonl'))
    const cold = open()
    expect(await ids(cold, 'harbour')).toEqual(['whole'])
    expect(cold.counts().problems).toEqual([
      { kind: 'torn', count: 1 },
      { kind: 'foreign', count: 1 },
    ])
    expect((await cold.search(null, ANY_CHUNK, 1)).problems.map(({ kind }) => kind)).toEqual([
      'foreign',
      'torn',
    ])
  })

  test('I10: what a crash left in a journal only is found there', async () => {
    const { root, open, ids, store } = world()
    await store.put([record('a', 'harbour'), record('b', 'harbour')])
    rmSync(join(root, 's1', 'b.jsonl'))
    const cold = open()
    expect((await ids(cold, 'harbour')).sort()).toEqual(['a', 'b'])
    const [lost] = await cold.named('b')
    expect(lost?.file).toBe(join(root, 's1', 'b.jsonl'))
    expect(await store.remove(lost === undefined ? [] : [lost])).toBe(1)
    expect(await ids(cold, 'harbour')).toEqual(['a'])
  })

  test('I4: an index that an older Plimsoll made is made again, with all that is found today', async () => {
    const { folder, open, put, ids, settle } = world()
    put(record('a', '港口的起重机'))
    settle('s1')
    await open().refresh()
    const connection = new LocalConnection(join(folder, 'cold-index.db'))
    connection.script(
      `DELETE FROM "ColdText"; INSERT INTO "ColdText" (rowid, session, text) VALUES (1, 's1', '港口的起重机'); UPDATE "ColdMeta" SET "value" = '2'`,
    )
    connection.close()
    expect(await ids(open(), '起重机')).toEqual(['a'])
  })

  test('an index of another version, or a damaged text, is read again', async () => {
    const { folder, open, put, ids, root } = world()
    put(record('a', 'harbour'))
    const connection = new LocalConnection(join(folder, 'cold-index.db'))
    connection.script(
      `CREATE TABLE "ColdMeta" ("key" TEXT PRIMARY KEY, "value" TEXT); INSERT INTO "ColdMeta" VALUES ('version', '0'); CREATE TABLE "ColdChunk" ("old" TEXT)`,
    )
    connection.close()
    const cold = open()
    expect(await ids(cold, 'harbour')).toEqual(['a'])
    appendFileSync(join(root, 's1', 'a.jsonl'), `${coldLine(record('a2', 'pier'))}\n`)
    utimesSync(join(root, 's1'), new Date(NOW + 5), new Date(NOW + 5))
    expect(await ids(cold, 'pier')).toEqual(['a2'])
  })
})
