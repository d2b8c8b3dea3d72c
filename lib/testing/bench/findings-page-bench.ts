import { join } from 'node:path'
import { DATABASE_FILE } from '../../config/paths'
import { IngestRows } from '../../db/commands/ingest'
import { openBulkWriter } from '../../db/sqlite/bulk-writer'
import { writeBulkStore } from './bulk-store'
import { plantFindings } from './plant-findings'
import { type Bench, type Measurement, quantile } from './report'
import { runNode } from './run-process'
import { BENCH_TOKEN, SIGNED_IN, startServer } from './start-server'

const SESSIONS = 10_000
/** So many different findings, each in ten sessions, and so many that five hundred sessions share. */
const [CAUSES, SHARED] = [1_000, 20]
const [WARM_UP, VISITS] = [3, 40]
const MOST_MS = 150

/** Pages that list findings, and what they are asked for. */
const PAGES: readonly (readonly [what: string, path: string])[] = [
  ['all', '/findings'],
  ['the worst', '/findings?severity=high'],
  ['the 15th page', '/findings?page=15'],
  ['the Overview, which leads with them', '/'],
  ['the list for programs', '/api/findings?limit=50'],
]

/** How long a server needs for pages of findings, where every one of many sessions has some. */
export const findingsPageBench: Bench = {
  name: 'findings-page',
  title: 'Findings: the page over 10,000 sessions',
  async run({ folder, root, log }) {
    log(`writing and importing ${SESSIONS} sessions …`)
    const { root: store } = writeBulkStore({
      root: join(folder, 'many'),
      sessions: SESSIONS,
      sessionBytes: 5_000,
      seed: 31,
    })
    const state = join(folder, 'state')
    const env = {
      PLIMSOLL_HOME: state,
      PLIMSOLL_STORES: store,
      HOME: folder,
      PLIMSOLL_TOKEN: BENCH_TOKEN,
    }
    const bin = join(root, 'lib', 'cli', 'bin.cjs')
    const { code } = await runNode([bin, 'ingest'], { cwd: folder, env })
    if (code !== 0) throw new Error(`ingest ended with ${code}`)
    const connection = openBulkWriter(join(state, DATABASE_FILE), null)
    const findings = await plantFindings(connection, { causes: CAUSES, shared: SHARED, seed: 32 })
    log(`${findings} findings of ${CAUSES + SHARED} causes`)
    const rows = new IngestRows(connection, null)
    const server = await startServer(bin, folder, env)
    try {
      const measured: Measurement[] = []
      for (const [what, path] of PAGES) {
        const url = server.url + path
        // What was read is kept until something changes: this is what the next one to look waits for.
        const changed = await timesOf(url, async () => {
          await rows.register([])
        })
        const kept = await timesOf(url, async () => undefined)
        measured.push({
          what: `findings, ${what}: answered after a change, p95 of ${VISITS}`,
          value: quantile(changed, 0.95),
          unit: 'ms',
          limit: MOST_MS,
          note: `p50 ${quantile(changed, 0.5).toFixed(0)} ms; without a change p50 ${quantile(kept, 0.5).toFixed(0)}, p95 ${quantile(kept, 0.95).toFixed(0)} ms`,
        })
      }
      return measured
    } finally {
      await server.stop()
      connection.close()
    }
  },
}

/** From asking until all of the answer is there, in milliseconds. */
async function timesOf(url: string, before: () => Promise<void>): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < WARM_UP + VISITS; i++) {
    await before()
    const started = performance.now()
    const answer = await fetch(url, { headers: SIGNED_IN })
    await answer.text()
    const took = performance.now() - started
    if (!answer.ok) throw new Error(`${url} was answered with ${answer.status}`)
    if (i >= WARM_UP) times.push(took)
  }
  return times
}
