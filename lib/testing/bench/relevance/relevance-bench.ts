import { DEFAULT_POLICY } from '../../../core/policy/default-policy'
import { ChunkIndex } from '../../../core/relevance/chunk-index'
import { LOGISTIC_FEATURES, logisticFeatures } from '../../../core/relevance/logistic-features'
import { logisticScorer } from '../../../core/relevance/logistic-scorer'
import { seedScorer } from '../../../core/relevance/seed-scorer'
import { CORPUS } from '../../corpus'
import { corpusSessions } from '../corpus-sessions'
import { dropMeasurements } from '../drop-bench'
import { type Bench, type BenchContext, type Measurement, median } from '../report'
import { areaUnderCurve, fitLogistic, type Labelled } from './fit-logistic'
import { neededLater, type Sample } from './needed-later'
import { recoveryMeasurements } from './recovery-bench'

const RUNS = 15
/** Share of pairs that may be in the wrong order, in per cent: an AUC of 0.864. */
const MOST_WRONG = 13.6

/** How well scorers foresee what is needed later, whether people get back what they ask for, and how long that takes. */
export const relevanceBench: Bench = {
  name: 'relevance',
  title: 'Relevance: what is foreseen of later needs, what comes back when asked for, and how fast',
  async run({ log, folder }) {
    const drop = await dropMeasurements(folder)
    const recovery = await recoveryMeasurements(log)
    return [...ranking(log), ...recovery, ...speed(5_000, 60), ...speed(50_000, 600), ...drop]
  },
}

type Row = Labelled & { readonly sample: Sample }

function ranking(log: BenchContext['log']): Measurement[] {
  if (CORPUS === null) {
    log('the corpus is not there: ranking is not measured')
    return []
  }
  const samples = neededLater(corpusSessions(CORPUS))
  const rows = samples.flatMap((sample): Row[] => {
    const features = logisticFeatures(sample.signals)
    return features === null ? [] : [{ sample, features, label: sample.needed }]
  })
  const needed = rows.filter(({ label }) => label).length
  log(`${rows.length} pairs of a chunk and a call, ${needed} of them needed later`)
  log(`coefficients of all: ${JSON.stringify(shipped(rows, needed / rows.length))}`)
  const seed = seedScorer(DEFAULT_POLICY.relevance)
  const logistic = logisticScorer()
  const unseen = leaveOneOwnerOut(rows)
  const curve = (value: (row: Row) => number) =>
    areaUnderCurve(rows.map((row) => ({ value: value(row), label: row.label })))
  const figure = (what: string, area: number, limit: number | null = null): Measurement => ({
    what: `${what}: pairs in the wrong order`,
    value: (1 - area) * 100,
    unit: '%',
    limit,
    note: `AUC ${area.toFixed(3)}`,
  })
  return [
    figure(
      'the formula of memfas',
      curve(({ sample }) => seed.score(sample.signals).value),
    ),
    figure(
      'BM25 against the prompt alone',
      curve(({ sample }) => sample.bm25),
    ),
    figure(
      'likeness to the prompt alone',
      curve(({ sample }) => sample.signals.similarity),
    ),
    figure(
      'logistic, fitted without the owner',
      curve((row) => unseen.get(row) ?? 0),
      MOST_WRONG,
    ),
    figure(
      'logistic, as shipped',
      curve(({ sample }) => logistic.score(sample.signals).value),
      MOST_WRONG,
    ),
  ]
}

/** Coefficients as the scorer has them: rounded, and moved so that a chunk of average odds scores 0.5. */
function shipped(rows: readonly Row[], share: number): { [name: string]: number } {
  const [base = 0, ...others] = fitLogistic(rows)
  const named = LOGISTIC_FEATURES.map((name, i) => [name, rounded(others[i] ?? 0)] as const)
  return { base: rounded(base - Math.log(share / (1 - share))), ...Object.fromEntries(named) }
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}

/** Each row by what was fitted on the sessions of the other owners. */
function leaveOneOwnerOut(rows: readonly Row[]): Map<Row, number> {
  const values = new Map<Row, number>()
  for (const owner of new Set(rows.map(({ sample }) => sample.owner))) {
    const [base = 0, ...others] = fitLogistic(rows.filter(({ sample }) => sample.owner !== owner))
    for (const row of rows)
      if (row.sample.owner === owner)
        values.set(
          row,
          row.features.reduce((sum, value, i) => sum + value * (others[i] ?? 0), base),
        )
  }
  return values
}

/** CPU time, since the machine may be busy with other things. */
function speed(count: number, limit: number): Measurement[] {
  const texts = Array.from({ length: count }, (_, n) =>
    Array.from({ length: 120 }, (_unused, i) => `berth${(n * 31 + i * i) % 4999} src/dock${n % 300}/crane.ts`)
      .join(' ')
      .slice(0, 1000),
  )
  const before = cpuMs()
  const index = new ChunkIndex(texts)
  const build = cpuMs() - before
  const scorer = seedScorer(DEFAULT_POLICY.relevance)
  const times = Array.from({ length: RUNS }, (_, run) => {
    const start = cpuMs()
    const { similarity } = index.likeness(`why is berth${run * 97} closed in src/dock${run}/crane.ts`)
    for (const [i, value] of similarity.entries())
      scorer.score({ similarity: value, ageMs: i * 1000, important: false, use: null })
    return cpuMs() - start
  })
  const chunks = count.toLocaleString('en')
  return [
    { what: `${chunks} chunks against a prompt, CPU`, value: median(times), unit: 'ms', limit },
    {
      what: `making them ready, once, CPU`,
      value: build,
      unit: 'ms',
      limit: null,
      note: `${chunks} × 1,000 characters`,
    },
  ]
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
