import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeBulkStore } from './bulk-store'
import { ratio } from './command-line-bench'
import { type Bench, type BenchContext, type Measurement, median } from './report'
import { type Import, runIngest } from './run-ingest'
import { BARE_PARSE, type ProcessRun, runNode } from './run-process'

const GIGABYTE = 1e9
/** In turn, and the median of each: a machine is not as fast in one half of a minute as in the other. */
const COLD_ROUNDS = 3

type ColdRound = { readonly parsed: ProcessRun; readonly without: Import; readonly withSearch: Import }

/** How fast stores come in, and how much memory that takes. */
export const importBench: Bench = { name: 'import', title: 'Import', run: coldImport }

async function coldImport(context: BenchContext): Promise<Measurement[]> {
  const { folder, log } = context
  log('writing 1,000 sessions, 1 GB …')
  const store = writeBulkStore({
    root: join(folder, 'large'),
    sessions: 1_000,
    sessionBytes: GIGABYTE / 1_000,
    seed: 11,
  })
  const bare = join(folder, 'bare-parse.mjs')
  writeFileSync(bare, BARE_PARSE)
  const rounds: ColdRound[] = []
  for (let i = 1; i <= COLD_ROUNDS; i++) {
    log(`round ${i} of ${COLD_ROUNDS}: parsing ${(store.bytes / 1e6).toFixed(0)} MB with nothing around it …`)
    const parsed = await runNode([bare, ...store.files], { cwd: folder })
    log('importing without search …')
    const without = await runIngest(context, store, `without-search-${i}`, ['--no-search'])
    log('importing with search …')
    const withSearch = await runIngest(context, store, `with-search-${i}`)
    rounds.push({ parsed, without, withSearch })
  }
  const middle = (run: keyof ColdRound) => median(rounds.map((round) => round[run].ms))
  const peaks = rounds.flatMap(({ without, withSearch }) => [
    without.peakBytes ?? 0,
    withSearch.peakBytes ?? 0,
  ])
  const bareMs = middle('parsed')
  return [
    ratio('cold import, 1 GB, without search ÷ bare parse', middle('without'), bareMs, 2),
    ratio('cold import, 1 GB, with search ÷ bare parse', middle('withSearch'), bareMs, 3),
    { what: 'peak memory of these imports', value: Math.max(...peaks) / 1e6, unit: 'MB', limit: 500 },
  ]
}
