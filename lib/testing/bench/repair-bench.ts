import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeLongSession } from './bulk-store'
import { ratio } from './command-line-bench'
import { type Bench, median } from './report'
import { BARE_PARSE, type ProcessRun, runNode } from './run-process'

/** Entries that make a transcript of a little over 100 MB. */
const ENTRIES = 50_000
const RUNS = 5

/** What looking through a very large transcript costs. */
export const repairBench: Bench = {
  name: 'repair',
  title: 'Check of a transcript of 100 MB',
  async run({ folder, root, log }) {
    const file = writeLongSession({
      root: join(folder, 'state'),
      entries: ENTRIES,
      seed: 21,
      resultChars: 4_600,
    })
    const bare = join(folder, 'bare-parse.mjs')
    writeFileSync(bare, BARE_PARSE)
    log(`${(statSync(file).size / 1e6).toFixed(0)} MB; checking it, and parsing it with nothing around …`)
    const bin = join(root, 'lib', 'cli', 'bin.cjs')
    const env = { PLIMSOLL_HOME: join(folder, 'home') }
    const parsed: ProcessRun[] = []
    const checked: ProcessRun[] = []
    for (let i = 0; i < RUNS; i++) {
      parsed.push(await runNode([bare, file], { cwd: folder }))
      checked.push(await runNode([bin, 'repair', file, '--check', '--json'], { cwd: folder, env }))
    }
    const [first] = checked
    if (first?.code !== 0)
      throw new Error(`the check ended with ${first?.code}: ${first?.stdout.slice(0, 400)}`)
    const ms = (runs: readonly ProcessRun[]) => median(runs.map((run) => run.ms))
    return [
      ratio('check ÷ bare parse', ms(checked), ms(parsed), 1.5),
      {
        what: 'peak memory of the check',
        value: Math.max(...checked.map(({ peakBytes }) => peakBytes ?? 0)) / 1e6,
        unit: 'MB',
        limit: 200,
      },
    ]
  },
}
