import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { foundStore } from '../../adapters/discovery/found-store'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { PLAIN_JUDGE } from '../../engine/ingest/finding-judge'
import { GrowingSessions } from '../../engine/ingest/growing-sessions'
import { importJobs } from '../../engine/ingest/import-jobs'
import { ingest } from '../../engine/ingest/ingest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { createTestDatabase, type TestDatabase } from '../../testing/database'
import { dumpDatabase } from '../../testing/dump-database'
import { sharedFolder } from '../../testing/store-folder'
import { IngestRows } from './ingest'

/** Prompts with compactions between some, and failures: something is found in most of its lines. */
function looping(): string[] {
  const builder = new TranscriptBuilder({ id: 's1' })
  for (let i = 0; i < 24; i++) {
    const asked = builder.user('You must never touch the harbour again.')
    if (i % 3 === 2) builder.compaction('Gone.', asked)
    builder.assistant('Yes.', { calls: [`c${i}`], usage: { input: 50_000 + i, output: 10, cacheRead: 50 } })
    builder.result(`c${i}`, 'berth '.repeat(200))
  }
  return builder.text().trimEnd().split('\n')
}

const lines = looping()
/** Of these the import begins with so many. */
const BEGUN = 12

let database: TestDatabase
let file: string
let growing: GrowingSessions
const folder = sharedFolder()
let [bytes, written, cases] = [0, 0, 0]

async function pass(): Promise<void> {
  const rows = new IngestRows(database.connection, null)
  const reader = createStoreReader()
  const judge = { ...PLAIN_JUDGE, now: () => 1000 }
  await ingest(
    {
      clock: { now: () => 1000 },
      database: rows,
      readerOf: () => reader,
      executor: {
        run: (jobs, onBatch) =>
          importJobs(
            () => reader,
            rows,
            jobs,
            (report) => {
              bytes += report.bytes
              onBatch(report)
            },
            { judge, growing },
          ),
      },
    },
    [foundStore('pi', 'jsonl', file, 'test', 'ok')],
  )
}

async function append(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    appendFileSync(file, `${lines[written]}\n`)
    written += 1
    await pass()
  }
}

function saveAll(): void {
  growing.settle((id, signsJson) => new IngestRows(database.connection, null).saveSigns(id, signsJson))
}

/** What is in a database into which all that was written so far came at once. */
async function atOnce() {
  const [before, kept] = [database, growing]
  database = createTestDatabase()
  growing = new GrowingSessions()
  await pass()
  const dump = dumpDatabase(database.connection)
  await database.destroy()
  database = before
  growing = kept
  return dump
}

beforeEach(async () => {
  database = createTestDatabase()
  growing = new GrowingSessions()
  cases += 1
  file = join(folder, `s${cases}.jsonl`)
  writeFileSync(
    file,
    lines
      .slice(0, BEGUN)
      .map((line) => `${line}\n`)
      .join(''),
  )
  written = BEGUN
  await pass()
})
afterEach(() => database.destroy())

describe('sessions that grow', () => {
  it('have the findings and signs of one that came at once, line after line', async () => {
    while (written < lines.length) {
      await append(9)
      const { SessionSigns: _, ...grown } = dumpDatabase(database.connection)
      const { SessionSigns: signs, ...whole } = await atOnce()
      expect(grown).toEqual(whole)
      expect(whole.Finding?.length).toBeGreaterThan(0)
      saveAll()
      expect(dumpDatabase(database.connection).SessionSigns).toEqual(signs)
    }
  })

  it('are not read again for what was only in memory, once it is written down', async () => {
    await append(4)
    saveAll()
    growing = new GrowingSessions()
    bytes = 0
    await append(1)
    expect(bytes).toBeLessThan(readSize())
    expect(dumpDatabase(database.connection).Finding).toEqual((await atOnce()).Finding)
  })

  it('are read again as a whole after an end in between, and nothing wrong is found', async () => {
    await append(4)
    growing = new GrowingSessions()
    bytes = 0
    await append(1)
    expect(bytes).toBeGreaterThanOrEqual(readSize())
    expect(dumpDatabase(database.connection)).toEqual(await atOnce())
  })

  it('are begun anew when another file has taken their place', async () => {
    await append(4)
    writeFileSync(file, `${lines[0]}\n`)
    written = 1
    await pass()
    await append(6)
    const { SessionSigns: _, ...grown } = dumpDatabase(database.connection)
    const { SessionSigns: _signs, ...whole } = await atOnce()
    expect({ ...grown, Finding: openOf(grown.Finding) }).toEqual({ ...whole, Finding: openOf(whole.Finding) })
  })
})

function openOf(findings: readonly Readonly<Record<string, unknown>>[] = []) {
  return findings.filter(({ goneAt }) => goneAt === null)
}

function readSize(): number {
  return lines.slice(0, written).join('\n').length
}
