import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { CORPUS } from '../corpus'
import { writeBulkStore, writeLongSession } from './bulk-store'
import type { ColdImport, CostStep } from './cold-import'
import { type CostProcess, type CostWork, startCost } from './cost-process'
import { type Bench, type BenchContext, type Measurement, median, quantile } from './report'

/** Copies of the corpus that make 250 MB, and sessions of a megabyte. */
const [COPIES, SESSIONS] = [40, 200]
/** Imports with findings and without them, side by side, each in parts that take turns. */
const [ROUNDS, STEPS] = [3, 20]
const MOST_PCT = 10
/** Entries of the session that grows by single lines. */
const LONG_SESSION = 10_000
/** Of lines: those of one step, steps to warm up, and those that are measured. */
const [LINES, WARM_UP, APPEND_STEPS] = [20, 10, 30]
const MOST_APPENDED_MS = 1

const SIDES = ['with', 'without'] as const
type Side = (typeof SIDES)[number]

/** One thing with findings and without them. */
type Pair<Value> = { readonly [S in Side]: Value }

/**
 * What findings add to an import, by processor time. The same import runs in two processes at once, one with findings
 * and one without. They take turns, part by part: whatever else the machine does falls on both.
 */
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
  const measured: Measurement[] = []
  for (const withSearch of [false, true]) {
    const added: number[] = []
    let bytes = 0
    const title = `${name}, ${withSearch ? 'with' : 'without'} search`
    for (let round = 0; round < ROUNDS; round++) {
      const steps = await sideBySide(context, STEPS, (withFindings, folder) => ({
        kind: 'import',
        asked: { ...stores, ...common(context), folder, withSearch, withFindings, steps: STEPS },
      }))
      const cpu = cpuOf(steps)
      const pct = 100 * (cpu.with / cpu.without - 1)
      added.push(pct)
      bytes = sumOf(steps.map((step) => step.with.bytes))
      context.log(
        `${title}: ${cpu.with.toFixed(0)} ms with findings, ${cpu.without.toFixed(0)} ms without: ${pct.toFixed(1)} %`,
      )
    }
    measured.push({
      what: `${title}: findings add`,
      value: median(added),
      unit: '%',
      limit: MOST_PCT,
      note: `processor time, median of ${ROUNDS} rounds, from ${Math.min(...added).toFixed(1)} to ${Math.max(...added).toFixed(1)} %; ${STEPS} parts in turn, ${(bytes / 1e6).toFixed(0)} MB`,
    })
  }
  return measured
}

/** One line appended to a session of thousands: what findings add to taking it in. */
async function appendedLine(context: BenchContext): Promise<Measurement> {
  const { folder, log } = context
  const steps = await sideBySide(context, WARM_UP + APPEND_STEPS, (withFindings, state) => {
    const store = join(folder, `appended-${withFindings ? 'with' : 'without'}`)
    const file = writeLongSession({ root: store, entries: LONG_SESSION, seed: 22 })
    const asked = { ...common(context), roots: [store], isCorpus: false, folder: state, withSearch: true }
    return { kind: 'appends', asked: { ...asked, withFindings, file, lines: LINES } }
  })
  const warm = steps.slice(WARM_UP)
  const added = warm.map((step) => (step.with.cpuMs - step.without.cpuMs) / LINES)
  const cpu = cpuOf(warm)
  const each = (ms: number) => (ms / (LINES * warm.length)).toFixed(2)
  log(`one appended line: ${each(cpu.with)} ms with findings, ${each(cpu.without)} ms without`)
  return {
    what: `one line appended to ${LONG_SESSION} entries: findings add`,
    value: median(added),
    unit: 'ms',
    limit: MOST_APPENDED_MS,
    note: `processor time, median of ${APPEND_STEPS} times ${LINES} lines in turn; nine of ten within ${quantile(added, 0.05).toFixed(2)} to ${quantile(added, 0.95).toFixed(2)} ms`,
  }
}

function cpuOf(steps: readonly Pair<CostStep>[]): Pair<number> {
  return {
    with: sumOf(steps.map((step) => step.with.cpuMs)),
    without: sumOf(steps.map((step) => step.without.cpuMs)),
  }
}

function common({ root }: BenchContext): Pick<ColdImport, 'migrations'> {
  return { migrations: join(root, 'prisma', 'migrations', 'sqlite') }
}

/** Both works step by step, in turn, and each first as often as the other. */
async function sideBySide(
  { folder }: BenchContext,
  steps: number,
  workOf: (withFindings: boolean, state: string) => CostWork,
): Promise<Pair<CostStep>[]> {
  const both: { readonly [S in Side]: CostProcess } = {
    with: await startCost(folder, workOf(true, join(folder, 'state-with'))),
    without: await startCost(folder, workOf(false, join(folder, 'state-without'))),
  }
  const taken: Pair<CostStep>[] = []
  for (let i = 0; i < steps; i++) {
    const step: { [S in Side]?: CostStep } = {}
    for (const side of i % 2 === 0 ? SIDES : SIDES.toReversed()) step[side] = await both[side].step()
    if (step.with !== undefined && step.without !== undefined)
      taken.push({ with: step.with, without: step.without })
  }
  for (const side of SIDES) await both[side].end()
  return taken
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
