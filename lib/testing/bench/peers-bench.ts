import { join } from 'node:path'
import { runCcusage } from '../peers/ccusage'
import { writePeerStores } from '../peers/peer-store'
import { ratio } from './command-line-bench'
import type { Bench, BenchContext, Measurement } from './report'
import { type ProcessRun, runNode } from './run-process'

const GIGABYTE = 1e9

/** Beside ccusage, which sums up what the same sessions used, and nothing else. */
export const peersBench: Bench = {
  name: 'peers',
  title: 'Beside ccusage, over the same 1 GB of Claude Code and Codex',
  async run(context) {
    const { folder, log } = context
    log('writing 1 GB of sessions, made of the corpus …')
    const stores = writePeerStores(join(folder, 'stores'), GIGABYTE)
    if (stores === null) {
      log('there is no corpus beside this checkout; nothing is measured')
      return []
    }
    log('summing up with ccusage, Claude Code, then Codex …')
    const theirs = [
      await runCcusage(['claude', 'session'], stores),
      await runCcusage(['codex', 'session'], stores),
    ]
    const roots = [join(stores.claudeConfig, 'projects'), join(stores.codexHome, 'sessions')]
    log('importing with frames and search …')
    const cold = await ingest(context, roots)
    log('importing once more, with nothing new …')
    const again = await ingest(context, roots)
    const theirMs = theirs.reduce((all, { ms }) => all + ms, 0)
    return [
      ratio(
        `import of ${(stores.bytes / 1e6).toFixed(0)} MB with frames and search ÷ ccusage`,
        cold.ms,
        theirMs,
        3,
      ),
      ratio('second run ÷ ccusage', again.ms, theirMs, 1),
      memory('peak memory of the import', cold),
      ...theirs.map((run, i) => memory(`peak memory of ccusage, ${i === 0 ? 'Claude Code' : 'Codex'}`, run)),
    ]
  },
}

function memory(what: string, { peakBytes }: ProcessRun): Measurement {
  return { what, value: (peakBytes ?? Number.NaN) / 1e6, unit: 'MB', limit: null }
}

async function ingest({ folder, root }: BenchContext, stores: readonly string[]): Promise<ProcessRun> {
  const bin = join(root, 'lib', 'cli', 'bin.cjs')
  const named = stores.flatMap((store) => ['--store', store])
  const run = await runNode([bin, 'ingest', '--json', ...named], {
    cwd: folder,
    env: { PLIMSOLL_HOME: join(folder, 'state') },
  })
  if (run.code !== 0) throw new Error(`ingest ended with ${run.code}: ${run.stdout}`)
  return run
}
