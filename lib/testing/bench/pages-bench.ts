import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { writeBulkStore, writeLongSession } from './bulk-store'
import { measureClicks } from './page-clicks'
import { type Bench, type Measurement, quantile } from './report'
import { runNode } from './run-process'
import { BENCH_TOKEN, SIGNED_IN, startServer } from './start-server'

const VISITS = 30
const STEPS = 60
const SERVER_MS = 150
const TRANSFER_KB = 300
const PAINT_MS = 50
const JOBS = 7
const NEWS_MS = 1_000

/** How long pages and clicks take on a warm server with much to show, and how fast the scrubber follows. */
export const pagesBench: Bench = {
  name: 'pages',
  title: 'Pages from a warm server',
  async run(context) {
    const { folder, root, log } = context
    log('writing and importing 10,000 sessions and one of 50,000 entries …')
    const many = writeBulkStore({
      root: join(folder, 'many'),
      sessions: 10_000,
      sessionBytes: 12_000,
      seed: 12,
    })
    const long = join(folder, 'long')
    writeLongSession({ root: long, entries: 50_000, seed: 13 })
    const env = {
      PLIMSOLL_HOME: join(folder, 'state'),
      PLIMSOLL_STORES: `${many.root}:${long}`,
      HOME: folder,
      PLIMSOLL_TOKEN: BENCH_TOKEN,
    }
    const bin = join(root, 'lib', 'cli', 'bin.cjs')
    const { code } = await runNode([bin, 'ingest'], { cwd: folder, env })
    if (code !== 0) throw new Error(`ingest ended with ${code}`)
    // The browser first: a server that was started must find its way to `finally`.
    const browser = await chromium.launch({
      executablePath: process.env.PLIMSOLL_BROWSER || undefined,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    })
    const server = await startServer(bin, folder, env)
    try {
      const page = await browser.newPage({
        viewport: { width: 1400, height: 900 },
        extraHTTPHeaders: SIGNED_IN,
      })
      const session = await longSession(server.url)
      log('visiting and clicking …')
      return [
        ...(await visit(page, 'Overview', server.url)),
        ...(await visit(page, 'Sessions', `${server.url}/sessions`)),
        ...(await visit(page, 'Findings', `${server.url}/findings`)),
        ...(await visit(page, 'Context', `${server.url}/sessions/${session}`)),
        await step(page),
        ...(await measureClicks(page, server.url, await ordinarySession(server.url))),
        await news(page, await browser.newPage({ extraHTTPHeaders: SIGNED_IN }), server.url),
      ]
    } finally {
      await browser.close()
      await server.stop()
    }
  },
}

/** Server time and bytes of one page, its own requests for data included; files that the browser keeps are not asked for again. */
async function visit(page: Page, name: string, url: string): Promise<Measurement[]> {
  const times = new Map<string, number[]>()
  const kilobytes: number[] = []
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  let bytes = 0
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  page.on('requestfinished', async (request) => {
    const { requestStart, responseEnd } = request.timing()
    if (requestStart < 0 || responseEnd < 0 || request.url().includes('/api/live')) return
    const { pathname } = new URL(request.url())
    times.set(pathname, [...(times.get(pathname) ?? []), responseEnd - requestStart])
  })
  // Twice to warm the server and the browser.
  for (let i = 0; i < VISITS + 2; i++) {
    if (i === 2) times.clear()
    bytes = 0
    await page.goto(url)
    await page.waitForLoadState('load')
    await page.waitForTimeout(400)
    if (i >= 2) kilobytes.push(bytes / 1000)
  }
  page.removeAllListeners('requestfinished')
  await devtools.detach()
  const [slowest = ['nothing', Number.NaN] as const] = [...times]
    .map(([path, took]) => [path, quantile(took, 0.95)] as const)
    .sort((one, other) => other[1] - one[1])
  return [
    {
      what: `${name}: server time of its slowest request, p95 over ${VISITS} visits`,
      value: slowest[1],
      unit: 'ms',
      limit: SERVER_MS,
      note: slowest[0],
    },
    { what: `${name}: transferred, p95`, value: quantile(kilobytes, 0.95), unit: 'kB', limit: TRANSFER_KB },
  ]
}

/** From a key on the scrubber to the next paint. */
async function step(page: Page): Promise<Measurement> {
  const slider = page.getByRole('slider', { name: 'Call', exact: true })
  await slider.focus()
  const times = await page.evaluate(async (steps) => {
    const element = document.querySelector<HTMLElement>('[role=slider][aria-label=Call]')
    const took: number[] = []
    for (let i = 0; i < steps; i++) {
      const start = performance.now()
      element?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }))
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      took.push(performance.now() - start)
    }
    return took
  }, STEPS)
  return {
    what: `scrubber over ${(await slider.getAttribute('aria-valuemax')) ?? '?'} calls: one step painted, p95`,
    value: quantile(times, 0.95),
    unit: 'ms',
    limit: PAINT_MS,
  }
}

/** From the moment a job is begun on one page to the moment another open page shows it (X16). */
async function news(page: Page, other: Page, url: string): Promise<Measurement> {
  await page.goto(`${url}/jobs`)
  await page.getByRole('banner').getByText('live', { exact: true }).waitFor()
  await other.goto(`${url}/stores`)
  const times: number[] = []
  for (let n = 1; n <= JOBS; n++) {
    await other.getByRole('button', { name: 'Read again now' }).click()
    await page.waitForFunction((count) => document.querySelectorAll('main li').length >= count, n)
    const shown = Date.now()
    const answer = await fetch(`${url}/api/jobs`, { headers: SIGNED_IN })
    const { open, ended } = (await answer.json()) as Record<'open' | 'ended', { createdAt: number }[]>
    times.push(shown - ((open.at(-1) ?? ended[0])?.createdAt ?? Number.NaN))
    // A job that is under way is joined and no new one.
    await page
      .getByText(/Looked at|Read \d/)
      .nth(n - 1)
      .waitFor()
  }
  return {
    what: `a job on another open page: shown, median of ${JOBS}`,
    value: quantile(times, 0.5),
    unit: 'ms',
    limit: NEWS_MS,
  }
}

async function longSession(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/sessions?q=agent:marathon`, { headers: SIGNED_IN })
  const { rows } = (await answer.json()) as { rows: { id: string; calls: number }[] }
  const row = rows.find(({ calls }) => calls > 10_000)
  if (row === undefined) throw new Error('the long session is not in the list')
  return row.id
}

/** Of those that are listed first, the one with the most calls that is not the long one. */
async function ordinarySession(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/sessions`, { headers: SIGNED_IN })
  const { rows } = (await answer.json()) as { rows: { id: string; calls: number }[] }
  const [row] = rows.filter(({ calls }) => calls < 10_000).sort((one, other) => other.calls - one.calls)
  if (row === undefined) throw new Error('no session is in the list')
  return row.id
}
