import { rmSync } from 'node:fs'
import { test as base } from '@playwright/test'
import { ask } from './ask'
import { type Dashboard, killDashboard, newFolder, type ServeAt, startDashboard } from './dashboard'
import { writeHostileStore } from './hostile-store.mjs'
import { SIGNED_IN, startPlimsoll } from './start-plimsoll'

/** A folder, which is somebody's home, and a dashboard over the stores in it. */
export type World = Pick<Dashboard, 'url' | 'port' | 'stop' | 'complaints'> & {
  readonly folder: string
  /** Ends the dashboard like a loss of power, and starts it again at the same address. */
  crash(): Promise<void>
}

export type WorldPlan = {
  /** Begins the name of the folder; no two plans have the same. */
  readonly name: string
  /** Writes stores and settings into the folder; answers the variables that the dashboard is started with. */
  readonly write: (folder: string) => Record<string, string> | Promise<Record<string, string>>
  /** Waits until the dashboard shows what was written. */
  readonly ready?: (world: World) => Promise<unknown>
}

type ForEachTest = {
  /** A folder of this test alone, gone when the test is over. */
  readonly folder: string
  /** Starts dashboards that end with the test. */
  readonly serve: (home: string, env?: Record<string, string>, at?: ServeAt) => Promise<Dashboard>
}

type ForEachWorker = {
  /** The world of a plan: made when it is first asked for, kept for all tests of this worker. */
  readonly shared: SharedWorlds
}

type SharedWorlds = {
  (plan: WorldPlan): Promise<World>
  /** Whether a test has asked for the world of this plan already. */
  has(plan: WorldPlan): boolean
}

/** Starting a dashboard takes five seconds on a machine with other work, and minutes on a crowded one. */
export const START_TIMEOUT = 240_000

/**
 * All browser tests begin here: files that had their own fixtures for the whole worker could not share one, nor its
 * browser and its dashboards.
 */
export const test = base.extend<ForEachTest, ForEachWorker>({
  // Every browser and request of a test is let in; how that is asked for is the subject of sign-in.spec.ts.
  extraHTTPHeaders: SIGNED_IN.headers,
  // What a failed test saw in the end; Playwright takes no picture of a page whose context is used again.
  page: async ({ page }, use, info) => {
    await use(page)
    if (info.status === info.expectedStatus) return
    const main = page.locator('main').or(page.locator('body')).last()
    const body = await main.ariaSnapshot({ timeout: 5_000 }).catch(String)
    await info.attach('page', { body, contentType: 'text/plain' })
  },
  folder: async ({ browserName: _browser }, use) => {
    const folder = newFolder('test')
    await use(folder)
    rmSync(folder, { recursive: true, force: true })
  },
  serve: async ({ browserName: _browser }, use) => {
    const started: Dashboard[] = []
    await use(async (...options) => {
      const dashboard = await startDashboard(...options)
      started.push(dashboard)
      return dashboard
    })
    await Promise.all(started.map((dashboard) => dashboard.stop()))
  },
  shared: [
    async ({ browserName: _browser }, use) => {
      const worlds = new Map<WorldPlan, Promise<World>>()
      const shared = (plan: WorldPlan) => {
        const world = worlds.get(plan) ?? startWorld(plan)
        worlds.set(plan, world)
        return world
      }
      await use(Object.assign(shared, { has: (plan: WorldPlan) => worlds.has(plan) }))
      await Promise.all([...worlds.values()].map(async (starting) => endWorld(await starting)))
    },
    { scope: 'worker', timeout: START_TIMEOUT },
  ],
})

/** What the tests of a file see of a world. */
export type WorldView<View> = {
  /** Begins a test: writes what it changes as it was, and answers what the test works with. */
  readonly view: (world: World) => View | Promise<View>
  /** Ends a test in the shared world: puts an end to what it left under way. */
  readonly after?: (world: World) => Promise<unknown>
}

/**
 * Tests over the world of a plan: `world` is shared by all tests of a worker; `unused` has been in no other test, and is
 * shared from then on: for a test that counts what was ever done; `fresh` is started for one test alone, which changes
 * what cannot be put back.
 */
export function dashboard<View>(plan: WorldPlan & WorldView<View>) {
  const inShared = async (shared: SharedWorlds, use: (view: View) => Promise<void>) => {
    const world = await shared(plan)
    await use(await plan.view(world))
    await plan.after?.(world)
  }
  const alone = async (use: (view: View) => Promise<void>) => {
    const world = await startWorld(plan)
    await use(await plan.view(world))
    await endWorld(world)
  }
  return test.extend<{ readonly world: View; readonly unused: View; readonly fresh: View }>({
    world: [({ shared }, use) => inShared(shared, use), { timeout: START_TIMEOUT }],
    unused: [
      ({ shared }, use) => (shared.has(plan) ? alone(use) : inShared(shared, use)),
      { timeout: START_TIMEOUT },
    ],
    fresh: [({ browserName: _browser }, use) => alone(use), { timeout: START_TIMEOUT }],
  })
}

async function startWorld({ name, write, ready }: WorldPlan): Promise<World> {
  const folder = newFolder(name)
  const env = await write(folder)
  let running = await startDashboard(folder, env)
  const { url, port } = running
  const world: World = {
    url,
    port,
    folder,
    stop: (signal) => running.stop(signal),
    complaints: () => running.complaints(),
    crash: async () => {
      await killDashboard(running)
      running = await startDashboard(folder, env, { port })
    },
  }
  await ready?.(world)
  return world
}

async function endWorld({ stop, folder }: World): Promise<void> {
  await stop()
  rmSync(folder, { recursive: true, force: true })
}

/** How many sessions the demo has; the hostile store has one more. */
export const DEMO_SESSIONS = 12

/** The demo, and in a known place a hostile store. */
export const DEMO: WorldPlan = {
  name: 'demo',
  write: async (folder) => {
    writeHostileStore(folder)
    const { code, stderr } = await startPlimsoll(['demo'], folder).ended
    if (code !== 0) throw new Error(`there is no demo: ${stderr}`)
    return {}
  },
  // A dashboard answers as soon as the newest sessions are read.
  ready: ({ url }) =>
    ask(`${url}/api/sessions`, (answer) =>
      (answer as { total: number }).total >= DEMO_SESSIONS + 1 ? null : undefined,
    ),
}

/** Where no store is found at all. */
export const EMPTY: WorldPlan = { name: 'empty', write: () => ({}) }
