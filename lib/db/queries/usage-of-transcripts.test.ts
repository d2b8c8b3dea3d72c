import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { discoverStores } from '../../adapters/discovery/discover'
import { writeDemoFiles } from '../../adapters/files/demo-files'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { makeDemoStore } from '../../demo/demo-store'
import { importJobs } from '../../engine/ingest/import-jobs'
import { ingest } from '../../engine/ingest/ingest'
import { createTestDatabase, type TestDatabase } from '../../testing/database'
import { temporaryFolder } from '../../testing/store-folder'
import { usageSums } from '../../view/overview/days'
import { IngestRows } from '../commands/ingest'
import { sumDays } from './day-sums'

const NOW = Date.parse('2026-07-01T12:00:00Z')

let database: TestDatabase
let home: string
beforeEach(() => {
  database = createTestDatabase()
  home = temporaryFolder()
})
afterEach(async () => {
  await database.destroy()
})

type Usage = Record<'input' | 'output' | 'cacheRead' | 'cacheWrite', number> & { cost?: { total?: number } }

/** Usage as it is in the lines, added up without any of our reading. */
function rawUsage(): readonly Usage[] {
  return makeDemoStore({ now: NOW, root: '/demo' })
    .filter(({ path }) => path.includes('.jsonl'))
    .flatMap(({ text }) => text.split('\n'))
    .flatMap((line) => {
      try {
        const entry = JSON.parse(line) as { message?: { role?: string; usage?: Usage } }
        return entry.message?.role === 'assistant' && entry.message.usage ? [entry.message.usage] : []
      } catch {
        return []
      }
    })
}

describe('X6: usage and cost over all sessions', () => {
  it('sums to what the providers reported in the transcripts', async () => {
    const roots = await writeDemoFiles({ home, now: NOW })
    const { stores } = await discoverStores({ env: {}, home, instead: roots.map(({ path }) => path) })
    const reader = createStoreReader()
    const target = new IngestRows(database.connection, null)
    await ingest(
      {
        clock: { now: () => NOW },
        database: target,
        readerOf: () => reader,
        executor: { run: (jobs, onBatch) => importJobs(() => reader, target, jobs, onBatch) },
      },
      stores,
    )
    const sums = usageSums(await sumDays(database, { from: '2000-01-01', to: '2099-12-31' }))
    const raw = rawUsage()
    const total = (of: (usage: Usage) => number) => raw.reduce((sum, usage) => sum + of(usage), 0)
    expect(sums.input).toBe(total(({ input }) => input))
    expect(sums.output).toBe(total(({ output }) => output))
    expect(sums.cacheRead).toBe(total(({ cacheRead }) => cacheRead))
    expect(sums.cacheWrite).toBe(total(({ cacheWrite }) => cacheWrite))
    expect(sums.cost.usd).toBeCloseTo(
      total(({ cost }) => cost?.total ?? 0),
      6,
    )
    expect(sums.sent).toBeGreaterThan(1_000_000)
    expect(sums.cost.unknownCalls).toBeGreaterThan(0)
  })
})
