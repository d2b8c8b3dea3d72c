import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EntryFact } from '../../core/transcript/entry'
import { SENDERS } from '../../core/transcript/send-rules'
import { explainCall, type InspectedSession, inspectSession } from '../../engine/read/inspect-session'
import type { Cursor, FoundStore, FoundTranscript, StoreReader } from '../../engine/read/ports'
import { readOnlyReason } from '../../engine/write/writable'
import { HOSTILE_VALUES, pathsIn, replacedAt } from '../../testing/sources/mutate-json'
import { LINE_FIXTURES, openCodeFixture, storeOnDisk, textOf } from '../../testing/sources/source-fixtures'
import { listAll, readAll, temporaryFolder, treeOf } from '../../testing/store-folder'
import { discoverStores } from '../discovery/discover'
import { foundStore } from '../discovery/found-store'
import { createStoreReader } from '../stores/store-reader'
import { SOURCES } from './sources'

/** What any source has to keep to; a new one is a row in `source-fixtures.ts`, and passes all of this. */

const discover = (...only: string[]) => discoverStores({ env: {}, home: '/nowhere', only })

async function only(reader: StoreReader, store: FoundStore): Promise<FoundTranscript> {
  const { transcripts, problem } = await listAll(reader, store)
  expect(problem).toBeNull()
  expect(transcripts).toHaveLength(1)
  return transcripts[0] as FoundTranscript
}

async function inspectOnly(store: FoundStore): Promise<InspectedSession> {
  const reader = createStoreReader({ lastLine: 'take-whole' })
  return inspectSession(reader, store, await only(reader, store))
}

/** A context that its API accepts: it begins under the user's role, and no result is without its call before it. */
function expectWellFormed(session: InspectedSession): void {
  for (const call of [...session.frames.map(({ call }) => call), 'next' as const]) {
    const sent = (explainCall(session, call)?.entries ?? []).filter(({ entry }) => entry.sent)
    const facts = sent.map(({ entry }) => entry.fact)
    expect(['assistant', 'toolResult']).not.toContain(facts[0]?.role)
    const called = new Set<string>()
    for (const { calls, resultFor } of facts) {
      for (const { id } of calls ?? []) called.add(id)
      if (resultFor !== undefined)
        expect(called.delete(resultFor), `${resultFor} before call ${call}`).toBe(true)
    }
  }
}

describe('the table of sources', () => {
  it('has a fixture for every runtime, and writes to none that it reads alone', () => {
    const covered = new Set<string>([...LINE_FIXTURES.map(({ kind }) => kind), 'opencode'])
    expect([...SENDERS].filter((kind) => !covered.has(kind))).toEqual([])
    for (const { kind, name } of SOURCES) expect(readOnlyReason({ kind })).toContain(name)
  })
})

describe.each(LINE_FIXTURES)('transcripts of $kind', (fixture) => {
  const { kind, lines, calls, used } = fixture
  const whole = Buffer.from(textOf(lines))

  it('are recognised as its own, in their folder and alone, and no other runtime’s lines are', async () => {
    const { root, file } = storeOnDisk(fixture)
    for (const target of [root, file]) {
      const { stores } = await discover(target)
      expect(stores.map((store) => [store.kind, store.state])).toEqual([[kind, 'ok']])
    }
    const owners = lines.map((line) => SOURCES.filter(({ discovery }) => discovery.knows(JSON.parse(line))))
    for (const source of owners.flat()) expect(source.kind).toBe(kind)
    if (SOURCES.some((source) => source.kind === kind)) expect(owners.flat()).not.toEqual([])
  })

  it('are the same entries in whatever pieces they come; a torn last line waits', async () => {
    const { file } = storeOnDisk(fixture)
    const store = foundStore(kind, 'jsonl', file, 'test', 'ok')
    const reader = createStoreReader()
    const all = await readAll(reader, store, await only(reader, store))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 4 }), async (points) => {
        const cuts = [...points, whole.length].sort((a, b) => a - b)
        const facts: EntryFact[] = []
        let cursor: Cursor | null = null
        let from = 0
        writeFileSync(file, '')
        for (const to of cuts) {
          appendFileSync(file, whole.subarray(from, to))
          from = to
          const read = await readAll(reader, store, await only(reader, store), cursor)
          expect(read.problem).toBeNull()
          expect(read.start?.restarted ?? false).toBe(false)
          facts.push(...read.facts)
          cursor = read.cursor
          const finished = whole.subarray(0, to).lastIndexOf(10) + 1
          expect(cursor?.offset ?? 0).toBe(finished)
        }
        expect(facts).toEqual(all.facts)
      }),
      { numRuns: 15 },
    )
  })

  it('keep every line: an entry names its own, and those that cannot be read have number and reason', async () => {
    const broken = [...lines.slice(0, 3), '{"type":"user", broken', '[1]', '"text"', ...lines.slice(3)]
    const { root, file } = storeOnDisk(fixture, textOf(broken))
    const store = (await discover(root)).stores[0] as FoundStore
    const reader = createStoreReader()
    const transcript = await only(reader, store)
    const { facts } = await readAll(reader, store, transcript)
    const bytes = readFileSync(file)
    let last = 0
    for (const fact of facts) {
      expect(fact.line).toBeGreaterThanOrEqual(last)
      last = fact.line
      expect(bytes.toString('utf8', fact.offset, fact.offset + fact.bytes)).toBe(broken[fact.line - 1])
      if (fact.type !== 'unreadable')
        expect(JSON.parse(await reader.source(store, transcript, fact))).toBeTruthy()
    }
    const unreadable = facts.filter(({ type }) => type === 'unreadable')
    expect(unreadable.map(({ line, problem }) => [line, (problem ?? '').length > 5])).toEqual([
      [4, true],
      [5, true],
      [6, true],
    ])
    expect((await inspectOnly(store)).totals).toMatchObject({ unreadable: 3, calls })
  })

  it('have the calls and the sums that its writer knows, and contexts that are well-formed', async () => {
    const { root } = storeOnDisk(fixture)
    const session = await inspectOnly((await discover(root)).stores[0] as FoundStore)
    expect(session.totals).toMatchObject({ calls, ...used, compactions: 1, unknownTypes: 0 })
    expectWellFormed(session)
  })

  it('are read whatever is in a field, and tell no less of the other lines', async () => {
    const places = lines.flatMap((line, i) => pathsIn(JSON.parse(line)).map((path) => ({ i, path })))
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...places),
        fc.constantFrom(...HOSTILE_VALUES),
        async ({ i, path }, value) => {
          const changed = lines.map((line, at) =>
            at === i ? JSON.stringify(replacedAt(JSON.parse(line), path, value)) : line,
          )
          const { file } = storeOnDisk(fixture, textOf(changed))
          const session = await inspectOnly(foundStore(kind, 'jsonl', file, 'test', 'ok'))
          expect(session.transcript.problem).toBeUndefined()
          expect(session.totals.unreadable).toBeLessThanOrEqual(1)
          for (const { total } of session.frames) expect(total.value).toBeGreaterThanOrEqual(0)
          explainCall(session, 'next')
        },
      ),
      { numRuns: 40 },
    )
  })

  it('are read with a line of 10 MB, nesting without end and keys of every object', async () => {
    const [first = ''] = lines
    const long = JSON.stringify({ ...JSON.parse(lines[1] ?? ''), more: 'x'.repeat(10_000_000) })
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
    const proto =
      '{"__proto__":{"type":"user"},"constructor":{},"type":"hasOwnProperty","payload":{"type":"__proto__"}}'
    const { file } = storeOnDisk(fixture, textOf([first, long, deep, proto, ...lines.slice(1)]))
    const session = await inspectOnly(foundStore(kind, 'jsonl', file, 'test', 'ok'))
    expect(session.totals.calls).toBe(calls)
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('do not lead out of their store, and reading writes nothing', async () => {
    const { root, file } = storeOnDisk(fixture)
    const outside = join(temporaryFolder(), 'outside.jsonl')
    writeFileSync(outside, textOf(lines))
    const link = file.replace(/s1\.jsonl$|acb\.jsonl$/, (end) => end.replace(/1|b/, '2'))
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(outside, link)
    const before = treeOf(root)
    const reader = createStoreReader()
    const store = (await discover(root)).stores[0] as FoundStore
    const { transcripts } = await listAll(reader, store)
    expect(transcripts.some(({ problem }) => problem === undefined)).toBe(true)
    for (const transcript of transcripts) {
      const { facts, problem } = await readAll(reader, store, transcript)
      if (transcript.path === link)
        expect([facts, String(problem)]).toEqual([[], expect.stringContaining('leads out')])
      else for (const fact of facts) await reader.source(store, transcript, fact)
    }
    expect(treeOf(root)).toEqual(before)
  })
})

describe('the database of opencode', () => {
  it('is recognised as its own, in its folder and alone', async () => {
    const { root, database, write } = openCodeFixture()
    await write()
    for (const target of [root, database.path])
      expect((await discover(target)).stores.map((store) => [store.kind, store.state])).toEqual([
        ['opencode', 'ok'],
      ])
    database.close()
  })

  it('has the same entries after every message and at once, each with its record, and writes nothing', async () => {
    const facts: EntryFact[] = []
    let cursor: Cursor | null = null
    const reader = createStoreReader()
    const { root, database, write } = openCodeFixture(async () => {
      const store = (await discover(root)).stores[0] as FoundStore
      const read = await readAll(reader, store, await only(reader, store), cursor)
      expect(read.start?.restarted ?? false).toBe(false)
      facts.push(...read.facts)
      cursor = read.cursor
    })
    await write()
    const before = treeOf(root)
    const store = (await discover(root)).stores[0] as FoundStore
    const transcript = await only(reader, store)
    const { facts: whole } = await readAll(reader, store, transcript)
    expect(facts).toEqual(whole)
    for (const fact of whole) {
      const entry: unknown = JSON.parse(await reader.source(store, transcript, fact))
      if (fact.id !== null && !fact.id.startsWith('#')) expect(entry).toMatchObject({ id: fact.id })
    }
    expect(treeOf(root)).toEqual(before)
    database.close()
  })

  it('has the calls and the sums that its writer knows, and contexts that are well-formed', async () => {
    const { root, database, write, calls, used } = openCodeFixture()
    await write()
    const session = await inspectOnly((await discover(root)).stores[0] as FoundStore)
    expect(session.totals).toMatchObject({ calls, ...used, compactions: 1, unknownTypes: 0, unreadable: 0 })
    expectWellFormed(session)
    database.close()
  })

  it('is read whatever is in a field of a row', async () => {
    const { root, database, write } = openCodeFixture()
    await write()
    const store = (await discover(root)).stores[0] as FoundStore
    const rows = ['message', 'part'].flatMap((table) =>
      (
        database.connection.prepare(`SELECT id, data FROM ${table}`).all() as { id: string; data: string }[]
      ).flatMap(({ id, data }) => pathsIn(JSON.parse(data)).map((path) => ({ table, id, data, path }))),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...rows),
        fc.constantFrom(...HOSTILE_VALUES),
        async ({ table, id, data, path }, value) => {
          const set = database.connection.prepare(`UPDATE ${table} SET data = ? WHERE id = ?`)
          set.run(JSON.stringify(replacedAt(JSON.parse(data), path, value)), id)
          database.touch()
          const session = await inspectOnly(store)
          expect(session.facts.length).toBeGreaterThan(5)
          explainCall(session, 'next')
          set.run(data, id)
        },
      ),
      { numRuns: 40 },
    )
    database.close()
  })
})
