import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { logReader } from '../../adapters/logs/log-reader'
import type { LogReader } from '../../engine/logs/log-ports'
import { LogTail } from '../../engine/logs/tail-logs'
import { createTestDatabase, type TestDatabase } from '../../testing/database'
import { findLogPlaces } from '../queries/log-files'
import { ANY_LINE, countLogLines, findLogLines } from '../queries/log-lines'
import { findRecentDrops, newestDrop } from '../queries/recent-drops'
import { LogRows } from './logs'

let database: TestDatabase
let folder: string
beforeEach(() => {
  database = createTestDatabase()
  folder = join(database.folder, 'logs', 'context')
  mkdirSync(folder, { recursive: true })
})
afterEach(() => database.destroy())

const drop = (id: string, more = {}) =>
  `${JSON.stringify({ timestamp: '2026-02-02T22:55:00Z', chunk_id: id, session_id: 's', relevance_score: 0.1, ...more })}\n`
const append = (text: string, name = 'drops.jsonl') => appendFileSync(join(folder, name), text)
const open = (newest: number | null = null) =>
  new LogTail(
    logReader([folder, join(database.folder, 'elsewhere')], newest),
    new LogRows(database.connection),
  )
const lines = (question = {}) => findLogLines(database, { ...ANY_LINE, ...question }, { skip: 0, limit: 100 })
const ids = (question = {}) =>
  lines(question).map(({ record }) => (record.kind === 'drops' ? record.chunkId : record.kind))
const files = () => findLogPlaces(database, 100).files

describe('X14 logs in the database', () => {
  test('rows and cursor come together: each line once, whoever goes on, and whenever it was killed', async () => {
    append(drop('a') + drop('b').slice(0, 20))
    expect(await open().read()).toMatchObject({ records: 1, broken: 0, changed: true })
    append(drop('b').slice(20) + drop('c'))
    const tail = open()
    expect(await tail.read()).toMatchObject({ records: 2 })
    expect(await tail.read()).toEqual({ records: 0, broken: 0, changed: false })
    expect(ids()).toEqual(['c', 'b', 'a'])
    expect(lines({ chunk: 'b' })[0]).toMatchObject({ file: join(folder, 'drops.jsonl'), line: 2 })
  })

  test('a commit that fails leaves rows and cursor as they were; the next look makes up for it', async () => {
    append(drop('a'))
    const sqlite = new LogRows(database.connection)
    const reader: LogReader = logReader([folder])
    let fails = true
    const tail = new LogTail(reader, {
      cursors: () => sqlite.cursors(),
      note: (...given) => sqlite.note(...given),
      write: (batch) => (fails ? Promise.reject(new Error('disk full')) : sqlite.write(batch)),
    })
    await expect(tail.read()).rejects.toThrow('disk full')
    expect([ids(), sqlite.cursors()]).toEqual([[], []])
    fails = false
    await tail.read()
    expect(ids()).toEqual(['a'])
  })

  test('malformed lines are counted and named, and stop nothing', async () => {
    append(`${drop('a')}nonsense\n{"chunk_id":7}\n${drop('b')}`)
    expect(await open().read()).toMatchObject({ records: 2, broken: 2 })
    expect(files()).toMatchObject([{ kind: 'drops', records: 2, broken: 2, skippedBytes: 0 }])
    expect(findLogPlaces(database, 100).broken).toEqual([
      { file: join(folder, 'drops.jsonl'), line: 2, problem: 'it is not JSON' },
      { file: join(folder, 'drops.jsonl'), line: 3, problem: 'chunk_id must be a text' },
    ])
  })

  test('Q1 a file that is put aside stays the same one; what is gone from the disk leaves', async () => {
    append(drop('a'))
    const tail = open()
    await tail.read()
    renameSync(join(folder, 'drops.jsonl'), join(folder, 'drops.jsonl.1'))
    append(drop('b'))
    await tail.read()
    expect(ids()).toEqual(['b', 'a'])
    expect(files().map(({ path, age }) => [path.slice(folder.length + 1), age])).toEqual([
      ['drops.jsonl', 0],
      ['drops.jsonl.1', 1],
    ])
    rmSync(join(folder, 'drops.jsonl.1'))
    expect(await tail.read()).toMatchObject({ records: 0, changed: true })
    expect(ids()).toEqual(['b'])
  })

  test('a file that was written anew is read anew', async () => {
    append(`${drop('a')}nonsense\n${drop('b')}`)
    const tail = open()
    await tail.read()
    writeFileSync(join(folder, 'drops.jsonl'), drop('other'))
    await tail.read()
    expect(ids()).toEqual(['other'])
    expect(files()).toMatchObject([{ records: 1, broken: 0 }])
  })

  test('of a log of a gigabyte the end is read; what is older is counted in bytes and lines', async () => {
    const [one, many] = [drop('10').length, 40]
    append(Array.from({ length: many }, (_, i) => drop(String(10 + i))).join(''))
    await open(one * 3 + 5).read()
    expect(ids()).toHaveLength(3)
    expect(lines().map(({ line }) => line)).toEqual([many, many - 1, many - 2])
    expect(files()).toMatchObject([{ records: 3, skippedBytes: one * (many - 3) }])
    append(drop('new'))
    await open(one).read()
    expect(ids()).toHaveLength(4)
  })

  test('Q4 Q6 lines by kind, session, chunk, text and time; a recovery of several chunks has each', async () => {
    append(
      drop('a', { reason: 'budget', tokens: 5 }) +
        drop('b', { session_id: 't', timestamp: '2026-03-01T00:00:00Z' }),
    )
    append(`{"chunk_ids":["a","q"],"query":"Harbour","timestamp":"2026-03-02T00:00:00Z"}\n`, 'recovery.jsonl')
    append('{"max_tokens":10,"current_tokens":4,"event":"health_check"}\n', 'health.jsonl')
    await open().read()
    expect(ids()).toEqual(['recovery', 'b', 'a', 'health'])
    expect(ids({ chunk: 'a' })).toEqual(['recovery', 'a'])
    expect(ids({ kind: 'health' })).toEqual(['health'])
    expect(ids({ session: 't' })).toEqual(['b'])
    expect(ids({ text: 'harbOUR' })).toEqual(['recovery'])
    expect(ids({ since: Date.parse('2026-02-10'), until: Date.parse('2026-03-01') })).toEqual(['b'])
    expect(countLogLines(database, { ...ANY_LINE, kind: 'drops' })).toBe(2)
    expect(lines({ chunk: 'a', kind: 'drops' })[0]?.record).toEqual({
      ...{ kind: 'drops', at: Date.parse('2026-02-02T22:55:00Z'), event: null, chunkId: 'a', sessionId: 's' },
      ...{
        reason: 'budget',
        relevanceScore: 0.1,
        thresholdUsed: null,
        coldStoragePath: null,
        tokens: 5,
        rest: {},
      },
    })
  })

  test('Q4 drops by session and minute, newest first, as far as their sessions are known', async () => {
    const add = (id: string, sessionId: string) =>
      database.connection.run(
        `INSERT INTO "Session" ("id", "storeId", "sessionId", "path", "state") VALUES (?, 'x', ?, '', 'live')`,
        [id, sessionId],
      )
    database.connection.run(
      `INSERT INTO "Store" ("id", "kind", "era", "root", "label", "state", "firstSeenAt") VALUES ('x', 'pi', 'jsonl', '', '', 'ok', 0)`,
    )
    add('one', 's')
    add('two', 's')
    append(
      drop('a', { tokens: 5 }) +
        drop('b') +
        drop('c', { timestamp: '2026-02-02T23:10:00Z', session_id: 'gone' }),
    )
    append(drop('d', { timestamp: '2026-02-02T23:00:00Z', tokens: 7 }))
    await open().read()
    expect(findRecentDrops(database, 9)).toMatchObject([
      { id: 'two', sessionId: 's', chunks: 1, tokens: 7 },
      { id: 'two', at: Date.parse('2026-02-02T22:55:00Z'), chunks: 2, tokens: 5 },
    ])
    expect(newestDrop(database)).toBe(Date.parse('2026-02-02T23:10:00Z'))
  })

  test('places that were probed are kept, found or not', async () => {
    await open().read()
    expect(findLogPlaces(database, 0).folders).toEqual([
      { path: folder, found: true, problem: null },
      { path: join(database.folder, 'elsewhere'), found: false, problem: null },
    ])
  })
})
