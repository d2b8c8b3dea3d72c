import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { importJobs } from '../../engine/ingest/import-jobs'
import type { ImportLimits } from '../../engine/ingest/import-session'
import { type IngestReport, ingest } from '../../engine/ingest/ingest'
import type { ImportExecutor } from '../../engine/ingest/ingest-ports'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { createTestDatabase, type TestDatabase } from '../../testing/database'
import { dumpDatabase } from '../../testing/dump-database'
import { MemoryStore } from '../../testing/memory-store'
import { runs } from '../../testing/runs'
import { LocalConnection } from '../sqlite/local-connection'
import { SearchIndex } from '../sqlite/search-index'
import { IngestRows } from './ingest'

const clock = { now: () => 1_800_000_000_000 }
const SMALL: ImportLimits = { rows: 7, bytes: 1 << 20 }

class Setup {
  readonly database: TestDatabase = createTestDatabase()
  readonly search = new SearchIndex(new LocalConnection(':memory:'))
  readonly ingest = new IngestRows(this.database.connection, this.search)

  async import(store: MemoryStore, limits = SMALL, found = [store.store]): Promise<IngestReport> {
    const executor: ImportExecutor = {
      run: (jobs, onBatch) => importJobs(() => store, this.ingest, jobs, onBatch, { limits }),
    }
    return ingest({ clock, database: this.ingest, readerOf: () => store, executor }, found)
  }

  dump() {
    return dumpDatabase(this.database.connection)
  }

  session(id: string) {
    return this.database.prisma.session.findUniqueOrThrow({ where: { id } })
  }

  async destroy() {
    this.search.close()
    await this.database.destroy()
  }
}

let setup: Setup
let store: MemoryStore
beforeEach(() => {
  setup = new Setup()
  store = new MemoryStore()
})
afterEach(() => setup.destroy())

function conversation(turns: number, header = {}): TranscriptBuilder {
  const builder = new TranscriptBuilder(header)
  for (let i = 0; i < turns; i++) {
    builder.user(`question ${i} about walruses`)
    builder.assistant('', { calls: [`c${i}`], usage: { input: 1000 + i * 100, output: 20 } })
    builder.result(`c${i}`, `file${i}.txt`)
    builder.assistant(`answer ${i}`, { usage: { input: 1100 + i * 100, output: 30, cost: 0.01 } })
  }
  return builder
}

const textOf = (builder: TranscriptBuilder) => `${builder.lines.join('\n')}\n`

describe('an import', () => {
  it('writes entries, calls, days and the session row, and finds the words', async () => {
    store.put('one', textOf(conversation(3)))
    const report = await setup.import(store)
    expect(report).toMatchObject({ entries: 13, problems: [], changed: [store.idOf('one')] })
    const session = await setup.session(store.idOf('one'))
    expect(session).toMatchObject({
      entries: 13,
      calls: 6,
      turns: 3,
      state: 'live',
      model: 'claude-sonnet-4-5',
      name: 'question 0 about walruses',
      inputTokens: 6900n,
      bytes: BigInt(textOf(conversation(3)).length),
      problem: null,
    })
    expect(setup.dump().Call?.map(({ n, total, seq }) => [n, total, seq])).toEqual(
      [1000, 1100, 1100, 1200, 1200, 1300].map((total, i) => [i + 1, total, 2 * i + 2]),
    )
    expect(setup.dump().Entry?.map(({ seq, call }) => [seq, call])).toEqual(
      [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6].map((call, seq) => [seq, call]),
    )
    expect(await setup.database.prisma.sessionDay.findMany()).toMatchObject([{ day: '2026-11-01', calls: 6 }])
    expect(
      setup.search
        .find('walruses question', 10)
        .map(({ seq }) => seq)
        .sort(),
    ).toEqual([1, 5, 9])
  })

  it('takes in a session whose name is longer than what can be searched', async () => {
    const builder = conversation(1)
    const name = `Lighthouse ${'x'.repeat(100_000)}`
    builder.raw(JSON.stringify({ type: 'session_info', id: 'i1', parentId: null, name }))
    store.put('one', textOf(builder))
    expect(await setup.import(store)).toMatchObject({ problems: [], changed: [store.idOf('one')] })
    expect(setup.search.find('lighthouse ', 10)).toHaveLength(1)
    expect(setup.search.find('walruses ', 10)).toHaveLength(1)
  })

  it('does nothing at all the second time', async () => {
    store.put('one', textOf(conversation(2)))
    store.put('two', textOf(conversation(1)))
    await setup.import(store)
    const before = setup.dump()
    const { revision } = await setup.session(store.idOf('one'))
    store.bytesRead = 0
    expect(await setup.import(store)).toMatchObject({ entries: 0, rows: 0, changed: [], revision: 0 })
    expect(store.bytesRead).toBe(0)
    expect(setup.dump()).toEqual(before)
    expect((await setup.session(store.idOf('one'))).revision).toBe(revision)
  })

  it('reads and writes in proportion to what was appended', async () => {
    const builder = conversation(200)
    store.put('one', textOf(builder))
    await setup.import(store)
    store.bytesRead = 0
    builder.user('one more')
    const line = `${builder.lines.at(-1)}\n`
    store.append('one', line)
    const report = await setup.import(store)
    expect(report.entries).toBe(1)
    expect(store.bytesRead).toBe(line.length)
    expect(report.rows).toBeLessThanOrEqual(4)
  })

  it('waits for the end of a torn line', async () => {
    const text = textOf(conversation(1))
    store.put('one', text.slice(0, -10))
    expect(await setup.import(store)).toMatchObject({ entries: 4 })
    store.append('one', text.slice(-10))
    expect(await setup.import(store)).toMatchObject({ entries: 1 })
    expect(await setup.session(store.idOf('one'))).toMatchObject({ entries: 5, unreadable: 0 })
  })

  it('replaces all rows of a session whose file was replaced or truncated', async () => {
    store.put('one', textOf(conversation(5)))
    await setup.import(store)
    const other = conversation(2, { id: 'other' })
    store.put('one', textOf(other))
    await setup.import(store)
    expect(await setup.session(store.idOf('one'))).toMatchObject({ entries: 9, calls: 4, turns: 2 })
    expect(setup.dump().Entry).toHaveLength(9)
    expect(setup.search.find('walruses', 10)).toHaveLength(2)
    const fresh = new Setup()
    await fresh.import(store)
    expect(setup.dump()).toEqual(fresh.dump())
    await fresh.destroy()
  })

  it('keeps and flags a session whose file has gone, and takes it back when the file returns', async () => {
    const text = textOf(conversation(2))
    store.put('one', text)
    await setup.import(store)
    store.remove('one')
    expect(await setup.import(store)).toMatchObject({ changed: [store.idOf('one')] })
    expect(await setup.session(store.idOf('one'))).toMatchObject({ state: 'gone', entries: 9 })
    expect(await setup.import(store)).toMatchObject({ changed: [], rows: 0 })
    store.put('one', text)
    await setup.import(store)
    expect(await setup.session(store.idOf('one'))).toMatchObject({ state: 'live', entries: 9 })
    expect(setup.dump().Entry).toHaveLength(9)
  })

  it('keeps a session whose file was renamed, without reading it again', async () => {
    store.put('one', textOf(conversation(2)))
    store.put('two', textOf(conversation(1)))
    await setup.import(store)
    const { row } = await setup.session(store.idOf('one'))
    store.bytesRead = 0
    store.rename('one', 'one.deleted')
    await setup.import(store)
    expect(store.bytesRead).toBe(0)
    expect(await setup.session(store.idOf('one.deleted'))).toMatchObject({
      row,
      state: 'deleted',
      entries: 9,
    })
    expect(await setup.database.prisma.session.count()).toBe(2)
    // The number of a deleted file is given to the next new one, which is another session then.
    store.rename('two', 'three')
    await setup.import(store)
    expect(await setup.session(store.idOf('two'))).toMatchObject({ state: 'gone', entries: 5 })
    expect(await setup.session(store.idOf('three'))).toMatchObject({ state: 'live', entries: 5 })
  })

  it('calls nothing gone when a part of the store could not be listed', async () => {
    store.put('one', textOf(conversation(1)))
    await setup.import(store)
    store.remove('one')
    store.listProblem = 'EACCES'
    await setup.import(store)
    expect((await setup.session(store.idOf('one'))).state).toBe('live')
    expect(await setup.database.prisma.store.findFirstOrThrow()).toMatchObject({
      state: 'unreadable',
      problem: 'EACCES',
    })
  })

  it('records a source that cannot be read, once, and goes on with the rest', async () => {
    store.put('bad', textOf(conversation(1)))
    store.put('good', textOf(conversation(1)))
    store.break('bad', 'permission denied')
    const report = await setup.import(store)
    expect(report.problems).toEqual([{ path: '/memory/bad.jsonl', problem: 'permission denied' }])
    expect(await setup.session(store.idOf('bad'))).toMatchObject({ problem: 'permission denied', entries: 0 })
    expect(await setup.session(store.idOf('good'))).toMatchObject({ problem: null, entries: 5 })
    expect(await setup.import(store)).toMatchObject({ rows: 0, changed: [] })
    store.break('bad', undefined)
    await setup.import(store)
    expect(await setup.session(store.idOf('bad'))).toMatchObject({ problem: null, entries: 5 })
  })

  it('keeps what it could read of a source that fails half-way', async () => {
    store.put('bad', textOf(conversation(3)))
    store.break('bad', 'bad sector', 6)
    await setup.import(store)
    const session = await setup.session(store.idOf('bad'))
    expect(session).toMatchObject({ entries: 6, problem: '/memory/bad.jsonl fails after line 6' })
    store.break('bad', undefined)
    await setup.import(store)
    expect(await setup.session(store.idOf('bad'))).toMatchObject({ entries: 13, problem: null })
  })

  it('flags stores that are not found any more', async () => {
    store.put('one', textOf(conversation(1)))
    await setup.import(store)
    await setup.import(store, SMALL, [])
    expect((await setup.database.prisma.store.findFirstOrThrow()).state).toBe('missing')
    await setup.import(store)
    expect(await setup.database.prisma.store.findFirstOrThrow()).toMatchObject({ state: 'ok', problem: null })
  })

  it('gives every change a higher revision', async () => {
    const builder = conversation(1)
    store.put('one', textOf(builder))
    const first = await setup.import(store)
    builder.user('again')
    store.append('one', `${builder.lines.at(-1)}\n`)
    const second = await setup.import(store)
    expect(second.revision).toBeGreaterThan(first.revision)
    expect((await setup.session(store.idOf('one'))).revision).toBe(second.revision)
  })
})

/** A transcript with everything that makes a fold reach back: branches, compactions, leaf moves, rubbish. */
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('user', 'call', 'answer', 'branch', 'compact', 'rubbish', 'leaf', 'blank', 'label'),
    back: fc.nat(8),
    size: fc.nat(300),
  }),
  { minLength: 1, maxLength: 40 },
)

function transcriptOf(plan: readonly { kind: string; back: number; size: number }[]): string {
  const builder = new TranscriptBuilder()
  const ids: string[] = []
  plan.forEach(({ kind, back, size }, i) => {
    const earlier = ids.at(-1 - back) ?? null
    const text = `${'wörter 語 '.repeat(Math.ceil(size / 9))}${i}`
    const usage = { input: 500 + size * 3, output: 10 + (size % 50) }
    const model = `model-${size % 2}`
    const over = { timestamp: new Date(Date.UTC(2026, 10, 1 + (size % 4))).toISOString() }
    if (kind === 'user') ids.push(builder.user(text))
    else if (kind === 'call')
      ids.push(builder.assistant('', { calls: [`c${i}`], usage, model, over }), builder.result(`c${i}`, text))
    else if (kind === 'answer')
      ids.push(builder.assistant(text, size % 3 === 0 ? { over } : { usage, model, over }))
    else if (kind === 'branch') ids.push(builder.user(text, { parentId: earlier }))
    else if (kind === 'compact')
      ids.push(builder.entry('compaction', { summary: text, firstKeptEntryId: earlier }))
    else if (kind === 'leaf') builder.entry('leaf', { targetId: earlier })
    else if (kind === 'label') builder.entry('label', { targetId: earlier, label: 'x' })
    else builder.raw(kind === 'blank' ? '' : '{"type":"message", torn')
  })
  return textOf(builder)
}

describe('an import in pieces', () => {
  it('ends in the same rows as one in one go, wherever the file was cut', async () => {
    const property = fc.asyncProperty(
      steps,
      fc.array(fc.nat(10_000), { maxLength: 6 }),
      fc.integer({ min: 1, max: 5 }),
      async (plan, cuts, atOnce) => {
        const text = Buffer.from(transcriptOf(plan))
        const at = [...cuts.map((cut) => cut % text.length), text.length].sort((a, b) => a - b)
        const pieces = new MemoryStore('m', atOnce)
        const [one, other] = [new Setup(), new Setup()]
        try {
          let from = 0
          for (const to of at) {
            pieces.append('one', text.subarray(from, to))
            from = to
            await one.import(pieces)
          }
          const whole = new MemoryStore('m', 1000)
          whole.put('one', text)
          await other.import(whole, { rows: 1000, bytes: 1 << 30 })
          expect(one.dump()).toEqual(other.dump())
          for (const word of ['worter', '語', '3'])
            expect(one.search.find(word, 99)).toHaveLength(other.search.find(word, 99).length)
        } finally {
          await one.destroy()
          await other.destroy()
        }
      },
    )
    await fc.assert(property, runs(25))
  })
})
