import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { type BulkStore, writeBulkStore } from './bulk-store'
import { type Bench, type Measurement, quantile } from './report'
import { BENCH_TOKEN, SIGNED_IN, startServer } from './start-server'

/** Ten stores of a gigabyte, none of which was ever read. */
const [STORES, SESSIONS, SESSION_BYTES] = [10, 1_000, 1e6]
const FIRST_FIGURE_MS = 3_000
/** Pages that are asked for while the import goes on, how often, and the most that one of them may take. */
const [PATHS, VISITS, PAGE_MS] = [['/', '/sessions', '/findings', '/stores'], 10, 1_000]

/** How soon a dashboard shows something over ten gigabytes that it has never seen, and whether pages wait for the import. */
export const firstFigureBench: Bench = {
  name: 'first-figure',
  title: 'First figure over 10 GB',
  async run({ folder, root, log }) {
    const stores: BulkStore[] = []
    for (let i = 0; i < STORES; i++) {
      log(`writing store ${i + 1} of ${STORES}, 1 GB …`)
      stores.push(
        writeBulkStore({
          root: join(folder, `store-${i}`),
          sessions: SESSIONS,
          sessionBytes: SESSION_BYTES,
          seed: 31 + i,
        }),
      )
    }
    const env = {
      PLIMSOLL_HOME: join(folder, 'state'),
      PLIMSOLL_STORES: stores.map((store) => store.root).join(':'),
      HOME: folder,
      PLIMSOLL_TOKEN: BENCH_TOKEN,
    }
    const browser = await chromium.launch({
      executablePath: process.env.PLIMSOLL_BROWSER || undefined,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    })
    const page = await browser.newPage({ extraHTTPHeaders: SIGNED_IN })
    const begun = performance.now()
    const server = await startServer(join(root, 'lib', 'cli', 'bin.cjs'), folder, env)
    try {
      const answered = performance.now() - begun
      await page.goto(server.url)
      // A session with its fill: nothing of it is known before its transcript was read.
      await page.locator('main a[href^="/sessions/"]').first().waitFor()
      const shown = performance.now() - begun
      const total = await sessionsAt(server.url)
      log(`first session on screen after ${shown.toFixed(0)} ms, of ${total} sessions found by then`)
      const bytes = stores.reduce((sum, store) => sum + store.bytes, 0)
      return [
        {
          what: `first session on screen after the start of the server, ${(bytes / 1e9).toFixed(1)} GB`,
          value: shown,
          unit: 'ms',
          limit: FIRST_FIGURE_MS,
          note: `address printed after ${answered.toFixed(0)} ms`,
        },
        ...(await visits(page, server.url)),
        {
          what: 'sessions found by then',
          value: await sessionsAt(server.url),
          unit: `of ${STORES * SESSIONS}`,
          limit: null,
        },
      ]
    } finally {
      await browser.close()
      await server.stop()
    }
  },
}

/** From the request of a page to its last byte, while transcripts are read in the background. */
async function visits(page: Page, url: string): Promise<Measurement[]> {
  const measured: Measurement[] = []
  for (const path of PATHS) {
    const times: number[] = []
    for (let i = 0; i < VISITS; i++) {
      const begun = performance.now()
      await page.goto(url + path)
      times.push(performance.now() - begun)
    }
    measured.push({
      what: `${path} during the import, slowest of ${VISITS}`,
      value: Math.max(...times),
      unit: 'ms',
      limit: PAGE_MS,
      note: `p50 ${quantile(times, 0.5).toFixed(0)} ms`,
    })
  }
  return measured
}

async function sessionsAt(url: string): Promise<number> {
  const answer = await fetch(`${url}/api/sessions`, { headers: SIGNED_IN })
  return ((await answer.json()) as { readonly total: number }).total
}
