import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BulkStore, writeBulkStore } from './bulk-store'
import { ratio } from './command-line-bench'
import { type Bench, type BenchContext, type Measurement, median } from './report'
import { BARE_PARSE, type ProcessRun, runNode } from './run-process'

const GIGABYTE = 1e9
const STAT_ROUNDS = 5
/** In turn, and the median of each: a machine is not as fast in one half of a minute as in the other. */
const COLD_ROUNDS = 3

/** What `plimsoll ingest --json` says at its end; the parts that are measured. */
type IngestFigures = {
  readonly sessionsChanged: number
  readonly bytesRead: number
  readonly rowsWritten: number
  readonly ms: number
}

type Import = ProcessRun & { readonly figures: IngestFigures }

type ColdRound = { readonly parsed: ProcessRun; readonly without: Import; readonly withSearch: Import }

/** How fast stores come in, how much memory that takes, and what it costs when little or nothing has changed. */
export const importBench: Bench = {
  name: 'import',
  title: 'Import',
  async run(context) {
    return [...(await coldImport(context)), ...(await littleChanged(context))]
  },
}

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
    ratio('cold import, 1 GB, without search ÷ bare parse', middle('without'), bareMs, 2.5),
    ratio('cold import, 1 GB, with search ÷ bare parse', middle('withSearch'), bareMs, 4),
    { what: 'peak memory of these imports', value: Math.max(...peaks) / 1e6, unit: 'MB', limit: 600 },
  ]
}

async function littleChanged(context: BenchContext): Promise<Measurement[]> {
  const { folder, log } = context
  log('writing 10,000 small sessions …')
  const store = writeBulkStore({
    root: join(folder, 'many'),
    sessions: 10_000,
    sessionBytes: 12_000,
    seed: 12,
  })
  log('importing them …')
  await runIngest(context, store, 'many')
  const again: Import[] = []
  const stats: number[] = []
  for (let i = 0; i < STAT_ROUNDS; i++) {
    stats.push(statAll(store))
    again.push(await runIngest(context, store, 'many'))
  }
  if (again.some(({ figures }) => figures.sessionsChanged > 0))
    throw new Error('the second import found changes')
  const [file = ''] = store.files
  const line = `${JSON.stringify(entryAfter(file))}\n`
  appendFileSync(file, line)
  const appended = await runIngest(context, store, 'many')
  return [
    ratio(
      'second import of 10,000 sessions ÷ one stat per file',
      median(again.map(({ figures }) => figures.ms)),
      median(stats),
      5,
    ),
    {
      what: 'the same as a process, start and all',
      value: median(again.map(({ ms }) => ms)),
      unit: 'ms',
      limit: null,
    },
    {
      what: 'one appended line: bytes read',
      value: appended.figures.bytesRead,
      unit: 'B',
      // The line, and the bytes before it that tell growth from replacement.
      limit: line.length + 8_192,
      note: `the line has ${line.length} B`,
    },
    { what: 'one appended line: rows written', value: appended.figures.rowsWritten, unit: 'rows', limit: 10 },
  ]
}

async function runIngest(
  { folder, root }: BenchContext,
  store: BulkStore,
  home: string,
  more: readonly string[] = [],
): Promise<Import> {
  const bin = join(root, 'lib', 'cli', 'bin.cjs')
  const run = await runNode([bin, 'ingest', '--json', '--store', store.root, ...more], {
    cwd: folder,
    // Not in the store itself, which would be another one after each import.
    env: { PLIMSOLL_HOME: join(folder, `${home}-state`) },
  })
  if (run.code !== 0) throw new Error(`ingest ended with ${run.code}: ${run.stdout}`)
  return { ...run, figures: JSON.parse(run.stdout) }
}

function statAll({ files }: BulkStore): number {
  const start = performance.now()
  for (const file of files) statSync(file)
  return performance.now() - start
}

/** A user's message that goes on where the transcript ends. */
function entryAfter(file: string) {
  const last = readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '{}'
  const { id } = JSON.parse(last) as { id?: string }
  return {
    type: 'message',
    id: 'a99e4ded',
    parentId: id ?? null,
    timestamp: '2026-11-20T13:00:00.000Z',
    message: { role: 'user', content: [{ type: 'text', text: 'One line more. '.repeat(20) }] },
  }
}
