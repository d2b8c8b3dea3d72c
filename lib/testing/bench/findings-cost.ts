import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { CORPUS } from '../corpus'
import { writeBulkStore, writeLongSession } from './bulk-store'
import type { ColdImport, ColdImportFigures } from './cold-import'
import { type Bench, type BenchContext, type Measurement, median } from './report'
import { runNode } from './run-process'

/** Copies of the corpus that make 100 MB, and sessions of a megabyte. */
const [COPIES, SESSIONS] = [20, 100]
/** With findings and without them, in turn. */
const PAIRS = 5
const MOST_PCT = 10
/** Entries of the session that grows by single lines. */
const LONG_SESSION = 10_000
const APPEND_PAIRS = 5
const MOST_APPENDED_MS = 1

/** What findings add to an import, by processor time: with and without them, in turn, each in its own process. */
export const findingsCostBench: Bench = {
  name: 'findings-cost',
  title: 'Findings: what they cost',
  async run(context) {
    const { folder, log } = context
    const measured: Measurement[] = []
    if (CORPUS === null) log('no corpus of real sessions here: only made-up ones are imported')
    else {
      const roots = Array.from({ length: COPIES }, (_, i) => join(folder, `corpus-${i}`))
      for (const root of roots)
        cpSync(CORPUS, root, { recursive: true, filter: (path) => !path.endsWith('requests.jsonl') })
      measured.push(...(await coldImports(context, 'real sessions', { roots, isCorpus: true })))
    }
    const { root } = writeBulkStore({
      root: join(folder, 'bulk'),
      sessions: SESSIONS,
      sessionBytes: 1e6,
      seed: 21,
    })
    measured.push(...(await coldImports(context, 'made-up sessions', { roots: [root], isCorpus: false })))
    measured.push(await appendedLine(context))
    return measured
  },
}

async function coldImports(
  context: BenchContext,
  name: string,
  stores: Pick<ColdImport, 'roots' | 'isCorpus'>,
): Promise<Measurement[]> {
  const { folder, root, log } = context
  const measured: Measurement[] = []
  for (const withSearch of [false, true]) {
    const cpu: Record<'with' | 'without', number[]> = { with: [], without: [] }
    let bytes = 0
    for (let i = 0; i < PAIRS; i++) {
      // In turn, and each first as often as the other.
      for (const one of i % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
        const figures = await apart<ColdImportFigures>(context, 'importCold', {
          ...stores,
          ...{
            withSearch,
            withFindings: one === 'with',
            migrations: join(root, 'prisma', 'migrations', 'sqlite'),
          },
          folder: join(folder, 'state'),
        })
        cpu[one].push(figures.cpuMs)
        bytes = figures.bytes
      }
      log(
        `${name}, ${withSearch ? 'with' : 'without'} search: ${cpu.with.at(-1)?.toFixed(0)} ms with findings, ${cpu.without.at(-1)?.toFixed(0)} ms without`,
      )
    }
    const added = (one: number, other: number) => 100 * (one / other - 1)
    const pairs = cpu.with.map((one, i) => added(one, cpu.without[i] ?? Number.NaN))
    const range = `${Math.min(...pairs).toFixed(0)} to ${Math.max(...pairs).toFixed(0)} %`
    measured.push({
      what: `${name}, ${withSearch ? 'with' : 'without'} search: findings add`,
      // What else runs on the machine only ever adds: the least of each is nearest to the truth.
      value: added(Math.min(...cpu.with), Math.min(...cpu.without)),
      unit: '%',
      limit: MOST_PCT,
      note: `processor time, least of ${PAIRS} each; pairs: median ${median(pairs).toFixed(0)} %, ${range}; ${(bytes / 1e6).toFixed(0)} MB`,
    })
  }
  return measured
}

/** One line appended to a session of thousands: what findings add to taking it in. */
async function appendedLine(context: BenchContext): Promise<Measurement> {
  const { folder, root, log } = context
  const added: number[] = []
  for (let i = 0; i < APPEND_PAIRS; i++) {
    const cpu = { with: 0, without: 0 }
    for (const one of i % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
      const store = join(folder, `appended-${i}-${one}`)
      const file = writeLongSession({ root: store, entries: LONG_SESSION, seed: 22 })
      cpu[one] = await apart<number>(context, 'importAppended', {
        ...{ roots: [store], isCorpus: false, file, withFindings: one === 'with', withSearch: true },
        ...{ migrations: join(root, 'prisma', 'migrations', 'sqlite'), folder: join(folder, 'state') },
      })
    }
    added.push(cpu.with - cpu.without)
    log(`one appended line: ${cpu.with.toFixed(2)} ms with findings, ${cpu.without.toFixed(2)} ms without`)
  }
  return {
    what: `one line appended to ${LONG_SESSION} entries: findings add`,
    value: median(added),
    unit: 'ms',
    limit: MOST_APPENDED_MS,
    note: `processor time, median of ${APPEND_PAIRS} pairs, from ${Math.min(...added).toFixed(2)} to ${Math.max(...added).toFixed(2)} ms`,
  }
}

/** In its own process: what was compiled for one import must not help the next. */
async function apart<Answer>(
  { folder }: BenchContext,
  work: 'importCold' | 'importAppended',
  asked: ColdImport,
): Promise<Answer> {
  const script = `const [file, work, asked] = process.argv.slice(1)
const { [work]: run } = await import(file)
console.log(JSON.stringify(await run(JSON.parse(asked))))`
  const { code, stdout } = await runNode(
    ['--input-type=module', '--eval', script, import.meta.url, work, JSON.stringify(asked)],
    { cwd: folder },
  )
  if (code !== 0) throw new Error(`${work} ended with ${code}: ${stdout}`)
  return JSON.parse(stdout)
}
