import { SessionLoads } from '../../core/budget/session-loads'
import type { RuntimeStore } from '../../core/policy/runtime/runtime-policy'
import type { OwnPrices } from '../../core/tokens/own-prices'
import type { Milliseconds } from '../../core/units/units'
import type { FindingJudge } from '../../engine/ingest/finding-judge'
import type { ImportJob } from '../../engine/ingest/ingest-ports'
import { callLines } from '../../engine/read/call-line'
import { openPolicies } from '../policy/policies'
import type { Setup } from '../setup'
import { governingOf } from '../stores/governing'

/** What is known of the runtimes of stores, by their ids. Plain data, which threads can be given. */
export type ImportRuntimes = ReadonlyMap<string, RuntimeStore>

/** Asks for the runtimes of the stores that jobs are about to read. */
export type AskRuntimes = (jobs: readonly ImportJob[]) => Promise<ImportRuntimes>

/** What sessions are judged by while they are imported; a store that is not known has no line. */
export function importJudge(prices: OwnPrices, runtimes: ImportRuntimes): FindingJudge {
  const loads = new SessionLoads(({ id }) => {
    const runtime = runtimes.get(id)
    if (runtime === undefined) throw new Error(`The runtime of the store ${id} is not known`)
    return runtime
  })
  return {
    prices,
    linesOf: (store, transcript, totals) =>
      runtimes.has(store.id) ? callLines(loads, { store, transcript, totals }) : () => null,
    now: Date.now,
  }
}

/** The same judge for the same runtimes: what it has made of their settings need not be made for each line that comes. */
export function importJudges(prices: OwnPrices): (runtimes: ImportRuntimes) => FindingJudge {
  let latest: { readonly runtimes: ImportRuntimes; readonly judge: FindingJudge } | null = null
  return (runtimes) => {
    if (latest?.runtimes !== runtimes) latest = { runtimes, judge: importJudge(prices, runtimes) }
    return latest.judge
  }
}

/** Settings of runtimes are read again after so long: a watch asks with every line that it sees. */
const FRESH: Milliseconds = 30_000

/** Reads the settings of the runtimes behind stores, and keeps them for a while. Without them no line is known. */
export function askRuntimes(setup: Setup): AskRuntimes {
  let kept: { readonly key: string; readonly at: Milliseconds; readonly runtimes: ImportRuntimes } | null =
    null
  return async (jobs) => {
    const stores = [...new Map(jobs.map(({ store }) => [store.id, store])).values()]
    const key = JSON.stringify(stores.map(({ id }) => id).sort())
    const now = Date.now()
    if (kept?.key === key && now - kept.at < FRESH) return kept.runtimes
    const documents = await openPolicies(setup, stores)
      .documents()
      .catch(() => [])
    const { runtimeOf } = await governingOf(setup, documents, stores)
    const runtimes = new Map(stores.map(({ id }) => [id, runtimeOf(id)]))
    kept = { key, at: now, runtimes }
    return runtimes
  }
}
