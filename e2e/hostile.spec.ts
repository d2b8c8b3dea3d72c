import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from '@playwright/test'
import {
  type HostileHome,
  writeHostileHome,
  writeHostileTranscript,
} from '../lib/testing/hostile/hostile-home'
import { ask, sessionPage } from './ask'
import { crowding } from './crowding'
import { SIGNED_IN, startPlimsoll } from './start-plimsoll'
import { START_TIMEOUT, test } from './world'

/** For reading all of them, twice, on a machine that does other work as well. */
const LIMIT = 12 * 60_000

/**
 * A page of a good store is there within a second; our own work beside it makes a few of that, and a crowded machine as
 * many times more as it is crowded. What hangs takes for ever.
 */
const MEDIAN_MS = 4_000
const LONGEST_MS = 120_000
const LEAST_ROUNDS = 3
/** Between two rounds: who asks without one has half of the machine for the asking alone. */
const PAUSE_MS = 500

/** Of all processes together while the stores are read. */
const MOST_MIB = 2_500

function variables({ good, bad }: HostileHome): Record<string, string> {
  const roots = [good.files, good.database, ...bad.map(({ root }) => root)]
  return { PLIMSOLL_STORES: roots.join(':') }
}

type StoresAnswer = {
  readonly stores: readonly {
    readonly id: string
    readonly root: string
    readonly problem: string | null
    readonly lastReadAt: number | null
  }[]
  readonly broken: readonly { readonly path: string; readonly problem: string }[]
}

test.describe('stores that were made to harm, beside good ones', () => {
  test.describe.configure({ timeout: LIMIT })

  test('the pages of the good ones answer throughout, and each bad one is named with its reason', async ({
    folder,
    serve,
    page,
  }, info) => {
    const home = writeHostileHome(folder, { most: 30_000, few: 1_000 })
    const { url, pid } = await serve(folder, variables(home))
    const memory = watchMemory(pid)
    const session = await sessionPage(url, ({ title }) => title.startsWith(home.words))
    const times = new Map<string, number[]>()
    let crowd = 1
    const all = home.bad.filter(({ problem }) => problem !== null)
    let unnamed: readonly string[] = all.map(({ name }) => name)
    const end = Date.now() + LIMIT / 2
    for (let round = 0; round < LEAST_ROUNDS || (unnamed.length > 0 && Date.now() < end); round++) {
      for (const path of ['/', '/sessions', '/stores', '/policies', '/help', session.slice(url.length)]) {
        const began = Date.now()
        const answer = await fetch(url + path, { ...SIGNED_IN, signal: AbortSignal.timeout(LONGEST_MS) })
        await answer.arrayBuffer()
        expect(answer.status, path).toBe(200)
        times.set(path, [...(times.get(path) ?? []), Date.now() - began])
      }
      crowd = Math.max(crowd, crowding())
      await wait(PAUSE_MS)
      const { stores, broken } = (await (await fetch(`${url}/api/stores`, SIGNED_IN)).json()) as StoresAnswer
      unnamed = all.flatMap(({ name, root, problem }) => {
        const said = [
          ...stores.filter((store) => store.root === root).map((store) => store.problem ?? ''),
          ...broken.filter(({ path }) => path.startsWith(root)).map((one) => one.problem),
        ]
        return said.some((text) => problem?.test(text)) ? [] : [name]
      })
    }
    expect(unnamed).toEqual([])
    const medians = [...times].map(([path, took]) => [path, median(took), Math.max(...took)] as const)
    const most = memory.most()
    info.annotations.push({ type: 'measured', description: JSON.stringify({ medians, mostMiB: most }) })
    // Policies shows the files of all stores, those that are bombs too: it has to answer, and may take longer.
    const slow = medians.filter(([path, middle]) => path !== '/policies' && middle > MEDIAN_MS * crowd)
    expect(slow).toEqual([])
    expect(most).toBeLessThan(MOST_MIB)
    await page.goto(`${url}/stores`)
    await expect(page.getByText('in it is a view').first()).toBeVisible()
    await page.goto(session)
    await expect(page.getByText(home.words).first()).toBeVisible()
  })

  test('a page of a hostile transcript does not keep those of others waiting', async ({
    folder,
    serve,
  }, info) => {
    const home = writeHostileTranscript(folder, 'children before their parent', 100_000)
    const { url } = await serve(folder, variables(home))
    const good = await sessionPage(url, ({ title }) => title.startsWith(home.words))
    const [root] = home.bad.map((one) => one.root)
    const store = await ask(`${url}/api/stores`, (answer) =>
      (answer as StoresAnswer).stores.find((one) => one.root === root),
    )
    const hostile = await sessionPage(url, () => true, `?store=${store.id}`)
    const slow = fetch(`${hostile}/integrity`, SIGNED_IN).then((answer) => answer.text())
    const took: number[] = []
    for (let i = 0; i < 10; i++) {
      const began = Date.now()
      await (await fetch(good, SIGNED_IN)).arrayBuffer()
      took.push(Date.now() - began)
    }
    info.annotations.push({ type: 'measured', description: JSON.stringify(took) })
    expect(median(took)).toBeLessThan(MEDIAN_MS * crowding())
    expect(await slow).toContain('late-parent')
  })

  test('verbs over all stores come to an end and name the bad ones', async ({ folder }) => {
    const home = writeHostileHome(folder, { most: 10_000, few: 500 })
    const run = (...args: string[]) => startPlimsoll(args, folder, variables(home)).ended
    const views = home.bad.filter(({ problem }) => problem?.source.includes('view'))
    // All at once: each of them waits out the same limit for a database that does not answer.
    const [doctor, ...others] = await Promise.all(
      ['doctor', 'stores', 'sessions', 'ingest', 'status'].map(async (verb) => ({
        verb,
        ...(await run(verb)),
      })),
    )
    for (const { verb, code, stdout, stderr } of others) {
      expect([code, verb, code === 0 ? '' : stderr]).toEqual([0, verb, ''])
      if (verb === 'status') continue
      for (const { root } of views) expect(`${stdout}${stderr}`, verb).toContain(root)
    }
    expect(doctor?.code).toBe(1)
    const text = doctor?.stdout.replaceAll(/\s+/g, ' ')
    for (const { name, problem } of home.bad) if (problem !== null) expect(text, name).toMatch(problem)
  })
})

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** The most that a process and all that it started have held at once, in MiB; 0 where the system does not tell. */
function watchMemory(pid: number): { readonly most: () => number } {
  let most = 0
  let running = true
  const watch = async () => {
    while (running) {
      most = Math.max(most, familyMiB(pid))
      await wait(1000, undefined, { ref: false })
    }
  }
  void watch()
  return {
    most: () => {
      running = false
      return Math.round(most)
    },
  }
}

function familyMiB(pid: number): number {
  const parents = new Map<number, number>()
  for (const name of readIfThere('/proc', (path) => readdirSync(path)) ?? []) {
    const stat = /^\d+$/.test(name) ? readIfThere(`/proc/${name}/stat`, textIn) : null
    if (stat !== null) parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
  }
  const isOfFamily = (one: number) => {
    for (let at: number | undefined = one; at !== undefined && at > 1; at = parents.get(at))
      if (at === pid) return true
    return false
  }
  // What several share is counted in parts.
  const sizes = [...parents.keys()].filter(isOfFamily).map((one) => {
    const memory = readIfThere(`/proc/${one}/smaps_rollup`, textIn) ?? ''
    return Number(/^Pss:\s+(\d+) kB$/m.exec(memory)?.[1] ?? 0)
  })
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}

const textIn = (path: string) => readFileSync(path, 'utf8')

/** Null where there is no such thing, or no more. */
function readIfThere<T>(path: string, read: (path: string) => T): T | null {
  try {
    return read(path)
  } catch {
    return null
  }
}

test.setTimeout(Math.max(LIMIT, START_TIMEOUT))
