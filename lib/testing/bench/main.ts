import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { coldBench } from './cold-bench'
import { commandLineBench } from './command-line-bench'
import { compactionBench } from './compaction-bench'
import { findingsBench } from './findings-bench'
import { findingsCostBench } from './findings-cost'
import { findingsPageBench } from './findings-page-bench'
import { firstFigureBench } from './first-figure-bench'
import { forgettingBench } from './forgetting-bench'
import { importBench } from './import-bench'
import { kitBench } from './kit/kit-bench'
import { labBench } from './lab/lab-bench'
import { labCasesBench } from './lab/lab-cases'
import { labPoliciesBench } from './lab/lab-policies'
import { labSpeedBench } from './lab/lab-speed'
import { limitsBench } from './limits-bench'
import { memoryBench } from './memory-bench'
import { pagesBench } from './pages-bench'
import { peersBench } from './peers-bench'
import { pruningBench } from './pruning-bench'
import { relevanceBench } from './relevance/relevance-bench'
import { repairBench } from './repair-bench'
import { type Bench, formatMeasurements, isWithin, type Measurement } from './report'
import { requestBench } from './request-bench'
import { truthBench } from './truth-bench'
import { unchangedBench } from './unchanged-bench'

// Asked for by processes that import apart.
export { answerSteps } from './cost-process'
// Asked for by processes that use a tool for the first time, or again and again.
export { agentLife } from './kit/agent-life'
export { firstUse } from './kit/first-use'
export { warmUse } from './kit/warm-use'

const BENCHES: readonly Bench[] = [
  importBench,
  unchangedBench,
  firstFigureBench,
  commandLineBench,
  limitsBench,
  requestBench,
  repairBench,
  compactionBench,
  pruningBench,
  relevanceBench,
  kitBench,
  coldBench,
  memoryBench,
  forgettingBench,
  truthBench,
  findingsBench,
  findingsCostBench,
  findingsPageBench,
  pagesBench,
  labBench,
  labCasesBench,
  labSpeedBench,
  labPoliciesBench,
  peersBench,
]

/** What the threads of a bench begin with: they load the same bundle. */
export { replayShare } from './lab/lab-speed-worker'

/** Runs the chosen benches, all by default, and answers whether every figure is within its limit. */
export async function runBenches(root: string, names: readonly string[]): Promise<boolean> {
  const unknown = names.filter((name) => !BENCHES.some((bench) => bench.name === name))
  if (unknown.length > 0) {
    throw new Error(
      `No bench is called ${unknown.join(', ')}; there are: ${BENCHES.map(({ name }) => name).join(', ')}`,
    )
  }
  const write = (text: string) => process.stdout.write(text)
  write(`Node ${process.version}, ${availableParallelism()} cores\n`)
  const all: Measurement[] = []
  for (const bench of BENCHES.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const folder = mkdtempSync(join(tmpdir(), `plimsoll-bench-${bench.name}-`))
    try {
      const log = (text: string) => write(`${bench.name}: ${text}\n`)
      const measurements = await bench.run({ folder, root, log })
      all.push(...measurements)
      write(`\n${bench.title}\n${formatMeasurements(measurements)}\n`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  const over = all.filter((measurement) => !isWithin(measurement))
  write(`${all.length} figures, ${over.length} over their limit\n`)
  return over.length === 0
}
