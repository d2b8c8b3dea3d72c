import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CATEGORIES } from '../../core/tokens/category'
import { Branches } from '../../core/transcript/branches'
import { contextOfCall } from '../../core/transcript/context'
import { importJobs } from '../../engine/ingest/import-jobs'
import { ingest } from '../../engine/ingest/ingest'
import { checkpointRecord, openaiAnswer } from '../../testing/builders/checkpoint'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { createTestDatabase, type TestDatabase } from '../../testing/database'
import { MemoryStore } from '../../testing/memory-store'
import { readCallBlocks } from '../call-blocks'
import { IngestRows } from '../commands/ingest'
import { LocalConnection } from '../sqlite/local-connection'
import { SearchIndex } from '../sqlite/search-index'
import { readSessionDetail, sessionNeighbours } from './session-detail'
import { entriesBetween, entriesBySeq, findPreviews } from './session-entries'
import { factAt, readEntryFacts } from './session-facts'
import { readCompactions } from './session-marks'

let database: TestDatabase
let store: MemoryStore
let search: SearchIndex

beforeEach(() => {
  database = createTestDatabase()
  search = new SearchIndex(new LocalConnection(':memory:'))
  store = new MemoryStore()
})
afterEach(async () => {
  search.close()
  await database.destroy()
})

function transcript(): TranscriptBuilder {
  const builder = new TranscriptBuilder()
  builder.user('what is in the hold?')
  builder.assistant('', { calls: ['c1'], usage: { input: 900, cacheRead: 100, output: 20, cost: 0.02 } })
  const kept = builder.result('c1', 'barrels')
  builder.assistant('barrels', { usage: { input: 1100, output: 10 } })
  builder.compaction('barrels in the hold', kept, { tokensBefore: 1100 })
  builder.assistant('aborted', { stop: 'aborted' })
  builder.raw('{"torn')
  return builder
}

async function importOne(builder: TranscriptBuilder, name = 'one') {
  store.put(name, builder.text())
  const sink = new IngestRows(database.connection, search)
  const executor = {
    run: (jobs: Parameters<typeof importJobs>[2], onBatch: Parameters<typeof importJobs>[3]) =>
      importJobs(() => store, sink, jobs, onBatch, { limits: { rows: 1000, bytes: 1 << 20 } }),
  }
  await ingest({ clock: { now: () => 1 }, database: sink, readerOf: () => store, executor }, [store.store])
  const session = readSessionDetail(database, store.idOf(name))
  if (!session) throw new Error('the session was not imported')
  return session
}

describe('reading a session in bulk', () => {
  it('answers the session with its store, and null for one that is not there', async () => {
    const session = await importOne(transcript())
    expect(session).toMatchObject({
      entries: 8,
      unreadable: 1,
      calls: 3,
      compactions: 1,
      store: { kind: 'pi' },
    })
    expect(() => JSON.stringify(session)).not.toThrow()
    expect(readSessionDetail(database, 'nobody')).toBeNull()
  })

  it('answers every call with its tokens by category, unknown totals as null', async () => {
    const session = await importOne(transcript())
    const calls = readCallBlocks(database.connection, session.row)
    expect(calls.map((call) => [call.n, call.seq])).toEqual([
      [1, 2],
      [2, 4],
      [3, 6],
    ])
    expect(calls[0]).toMatchObject({
      total: 1000,
      basis: 'measured',
      cacheRead: 100,
      output: 20,
      costUsd: 0.02,
    })
    expect(calls[0]?.tokens).toHaveLength(CATEGORIES.length)
    expect(calls[0]?.tokens.reduce((a, b) => a + b, 0)).toBe(1000)
    expect(calls[2]?.basis).not.toBe('measured')
    expect(readCallBlocks(database.connection, 999)).toEqual([])
  })

  it('answers of the facts that the importer wrote what trees and contexts are made from', async () => {
    const builder = transcript()
    const session = await importOne(builder)
    const facts = [...readEntryFacts(database, session.row)].flat()
    const plain = builder
      .facts()
      .map(({ preview: _p, problem: _r, tokensBefore: _t, marks: _m, ...fact }) => fact)
    expect(facts).toEqual(plain)
    expect(Branches.of(facts).path(Branches.of(facts).leaf)).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('B4 has checkpoints of the provider, so that contexts begin where they do in the transcript', async () => {
    const builder = transcript()
    builder.assistant('compacted', openaiAnswer(checkpointRecord()))
    builder.user('on')
    builder.assistant('yes', openaiAnswer())
    const session = await importOne(builder)
    const branches = Branches.of([...readEntryFacts(database, session.row)].flat())
    const context = contextOfCall(branches, branches.leaf, 'openclaw')
    expect(context.map(({ fact, replayed }) => [fact.id, replayed])).toEqual([
      ['e7', true],
      ['e8', undefined],
    ])
    expect(readCompactions(database, session.row)).toMatchObject([{}, { kind: 'provider', afterCall: 4 }])
  })

  it('leaves labels what they say', async () => {
    const builder = transcript()
    builder.raw('{"type":"label","id":"l1","parentId":null,"targetId":"e1","label":"the hold"}')
    const session = await importOne(builder)
    const facts = [...readEntryFacts(database, session.row)].flat()
    expect(facts.flatMap(({ preview }) => preview ?? [])).toEqual(['the hold'])
  })

  it('goes on from where it was, and knows where an entry is', async () => {
    const session = await importOne(transcript())
    const all = [...readEntryFacts(database, session.row)].flat()
    expect([...readEntryFacts(database, session.row, 5)].flat()).toEqual(all.slice(5))
    expect(factAt(database, session.row, 3)).toEqual({
      offset: all[3]?.offset,
      bytes: all[3]?.bytes,
      id: all[3]?.id,
    })
    expect(factAt(database, session.row, 99)).toBeNull()
  })

  it('answers entries by number and by range, with previews and problems', async () => {
    const session = await importOne(transcript())
    const some = entriesBySeq(database, session.row, [3, 7, 400])
    expect([...some.keys()].sort()).toEqual([3, 7])
    expect(some.get(3)).toMatchObject({ role: 'toolResult', tool: 'exec', preview: 'barrels', line: 4 })
    expect(some.get(7)).toMatchObject({ type: 'unreadable', line: 8 })
    expect(some.get(7)?.problem).toBeTruthy()
    const range = entriesBetween(database, session.row, { from: 2, to: 4 })
    expect(range.map((line) => [line.seq, line.call])).toEqual([
      [2, 1],
      [3, null],
      [4, 2],
    ])
  })

  it('finds what is in previews, inside of words too', async () => {
    const session = await importOne(transcript())
    expect(findPreviews(database, session.row, 'ARREL', 10)).toEqual([3, 4, 5])
    expect(findPreviews(database, session.row, 'barrels', 1)).toEqual([3])
    expect(findPreviews(database, session.row, '%', 10)).toEqual([])
  })

  it('answers compactions with the call they follow', async () => {
    const session = await importOne(transcript())
    expect(readCompactions(database, session.row)).toMatchObject([
      { kind: 'compaction', afterCall: 2, tokensBefore: 1100, seq: 5 },
    ])
  })

  it('names the newer and the older session of the list', async () => {
    const old = await importOne(transcript(), 'old')
    const later = new TranscriptBuilder()
    later.user('later', { timestamp: '2027-01-01T00:00:00.000Z' })
    const fresh = await importOne(later, 'fresh')
    expect(sessionNeighbours(database, fresh)).toEqual({ newer: null, older: old.id })
    expect(sessionNeighbours(database, old)).toEqual({ newer: fresh.id, older: null })
  })

  it('leads through all sessions and back, those of one time and those without any included', async () => {
    const times = [5000, null, 5000, 7000, null]
    const sessions: { id: string; row: number; updatedAt: number | null }[] = []
    for (const [i, updatedAt] of times.entries()) {
      const { id, row } = await importOne(new TranscriptBuilder().raw(`{"n":${i}}`), `s${i}`)
      database.connection.run('UPDATE "Session" SET "updatedAt" = ? WHERE "row" = ?', [updatedAt, row])
      sessions.push({ id, row, updatedAt })
    }
    const newestFirst = sessions.toSorted(
      (a, b) => (b.updatedAt ?? -1) - (a.updatedAt ?? -1) || b.row - a.row,
    )
    newestFirst.forEach((session, i) => {
      expect(sessionNeighbours(database, session)).toEqual({
        newer: newestFirst[i - 1]?.id ?? null,
        older: newestFirst[i + 1]?.id ?? null,
      })
    })
  })
})
