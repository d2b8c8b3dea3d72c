import { appendFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { Branches } from '../../core/transcript/branches'
import { type ContextEntry, callEntries, contextOfCall } from '../../core/transcript/context'
import type { EntryFact } from '../../core/transcript/entry'
import { importJobs } from '../../engine/ingest/import-jobs'
import { ingest } from '../../engine/ingest/ingest'
import type { ImportExecutor } from '../../engine/ingest/ingest-ports'
import { explainCall } from '../../engine/read/inspect-session'
import type { FoundStore, StoreKind, StoreReader } from '../../engine/read/ports'
import { ClaudeCodeBuilder, CodexBuilder } from '../../testing/builders/foreign-lines'
import { createTestDatabase } from '../../testing/database'
import { dumpDatabase } from '../../testing/dump-database'
import { runs } from '../../testing/runs'
import { foreignStore, readTranslatedSession } from '../../testing/translated-session'
import { readCallBlocks } from '../call-blocks'
import { readEntryFacts } from '../queries/session-facts'
import { LocalConnection } from '../sqlite/local-connection'
import { SearchIndex } from '../sqlite/search-index'
import { IngestRows } from './ingest'

const clock = { now: () => 1_800_000_000_000 }

/** A session in which every response is written on several lines, and its usage changes or comes late. */
function transcript(kind: StoreKind): string[] {
  if (kind === 'codex') {
    const codex = new CodexBuilder()
    for (let i = 0; i < 6; i++) {
      codex.user(`question ${i}`)
      codex.item({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] })
      codex.calls(`c${i}`)
      codex.count(3000 + i * 200, 2000, 30 + i)
      codex.result(`c${i}`, 'file '.repeat(30))
      codex.count(3000 + i * 200, 2000, 30 + i, false)
      codex.says(`answer ${i}`)
      codex.count(3100 + i * 200, 3000, 12)
      const kept = (text: string) => ({
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text }],
      })
      if (i === 3)
        codex.line('compacted', { message: 'all', replacement_history: [kept('question 0'), kept('all')] })
    }
    return codex.lines
  }
  const claude = new ClaudeCodeBuilder()
  for (let i = 0; i < 6; i++) {
    const usage = { input: 5, read: 3000 + i * 200, write: 90 }
    claude.user(`question ${i}`)
    claude.answer(`m${i}`, { type: 'text', text: 'I look.' }, { ...usage, output: 2 })
    const call = { type: 'tool_use', name: 'Read', input: {} }
    const first = claude.answer(`m${i}`, { ...call, id: `t${i}` }, { ...usage, output: 40 + i })
    // Calls made at once: the result of the first has its own line as parent.
    const second =
      i === 2 ? claude.answer(`m${i}`, { ...call, id: 'p2' }, { ...usage, output: 40 + i }) : first
    claude.result(`t${i}`, 'file '.repeat(30), { parentUuid: first })
    if (i === 2) claude.result('p2', 'other '.repeat(20), { parentUuid: second })
    claude.aside('some-title')
    claude.answer(`n${i}`, { type: 'text', text: `answer ${i}` }, { ...usage, input: 150, output: 12 })
    if (i === 4) compactHere(claude)
    if (i === 3)
      claude.answer('s1', { type: 'text', text: 'aside' }, { input: 700, output: 9 }, { isSidechain: true })
  }
  return claude.lines
}

/** A compaction that keeps the last answer, and has it behind the summary. */
function compactHere(claude: ClaudeCodeBuilder): void {
  const kept = `u${claude.lines.length}`
  const segment = { headUuid: kept, tailUuid: kept, anchorUuid: `u${claude.lines.length + 2}` }
  const compactMetadata = { trigger: 'auto', preTokens: 5000, preservedSegment: segment }
  const cut = { parentUuid: null, logicalParentUuid: kept }
  claude.line('system', { subtype: 'compact_boundary', compactMetadata, ...cut })
  claude.user('This session is being continued', { isCompactSummary: true })
}

/** Imports a transcript that is written in pieces, and answers all rows of the database. */
async function imported(kind: StoreKind, lines: readonly string[], cuts: readonly number[]) {
  const { store, file } = foreignStore(kind, '', 's1.jsonl')
  const database = createTestDatabase()
  const search = new SearchIndex(new LocalConnection(':memory:'))
  const rows = new IngestRows(database.connection, search)
  const reader = createStoreReader()
  const executor: ImportExecutor = {
    run: (jobs, onBatch) =>
      importJobs(() => reader, rows, jobs, onBatch, { limits: { rows: 500, bytes: 1 << 20 } }),
  }
  const pass = (found: FoundStore) =>
    ingest({ clock, database: rows, readerOf: () => reader, executor }, [found])
  writeFileSync(file, '')
  let from = 0
  for (const to of [...cuts, lines.length]) {
    appendFileSync(
      file,
      lines
        .slice(from, to)
        .map((line) => `${line}\n`)
        .join(''),
    )
    from = to
    await pass(store)
  }
  const [session] = await database.prisma.session.findMany()
  const calls = readCallBlocks(database.connection, session?.row ?? 0)
  const days = await database.prisma.sessionDay.findMany({ orderBy: { day: 'asc' } })
  const dump = dumpDatabase(database.connection)
  const branches = Branches.of([...readEntryFacts(database, session?.row ?? 0)].flat())
  const contexts = callEntries(branches.facts).map((seq) => textOf(contextOfCall(branches, seq, kind)))
  const texts = await textsOf(reader, store, branches.facts)
  search.close()
  await database.destroy()
  const { inputTokens, outputTokens, cacheReadTokens, contextTokens, trendJson } = session ?? {}
  return {
    calls,
    days: days.map(({ sessionRow: _, ...day }) => day),
    totals: { calls: session?.calls, inputTokens, outputTokens, cacheReadTokens, contextTokens, trendJson },
    dump,
    contexts,
    texts,
  }
}

function textOf(context: readonly ContextEntry[]): string[] {
  return context.filter(({ sent }) => sent).map(({ fact }) => `${fact.type} ${fact.role} ${fact.id}`)
}

/** The texts of all entries, by the places that the database has of them. */
async function textsOf(
  reader: StoreReader,
  store: FoundStore,
  facts: readonly EntryFact[],
): Promise<string[]> {
  for await (const transcript of reader.list(store))
    return Promise.all(facts.map((fact) => reader.source(store, transcript, fact)))
  return []
}

describe('an import of transcripts that write a response in several records (E 17)', () => {
  for (const kind of ['claude-code', 'codex'] as const) {
    it(`${kind}: in pieces, cut anywhere, it comes to the same calls, sums and days as in one`, async () => {
      const lines = transcript(kind)
      const { dump: _, ...whole } = await imported(kind, lines, [])
      const read = await readTranslatedSession(kind, lines.map((line) => `${line}\n`).join(''))
      expect(whole.contexts).toEqual(
        read.frames.map(({ call }) =>
          textOf((explainCall(read, call)?.entries ?? []).map(({ entry }) => entry)),
        ),
      )
      expect(whole.texts).toHaveLength(read.facts.length)
      for (const [i, text] of whole.texts.entries())
        expect(JSON.parse(text).type).toBe(read.facts[i]?.rawType ?? read.facts[i]?.type)
      expect(whole.totals.calls).toBe(12)
      expect(whole.calls.map(({ output }) => output)).toEqual(
        Array.from({ length: 6 }, (_, i) => [(kind === 'codex' ? 30 : 40) + i, 12]).flat(),
      )
      const cuts = fc.uniqueArray(fc.integer({ min: 1, max: lines.length - 1 }), {
        minLength: 1,
        maxLength: 8,
      })
      await fc.assert(
        fc.asyncProperty(cuts, async (at) => {
          const { dump: _rows, ...pieces } = await imported(
            kind,
            lines,
            at.sort((a, b) => a - b),
          )
          expect(pieces).toEqual(whole)
        }),
        runs(6),
      )
    })
  }
})
