import { setTimeout as wait } from 'node:timers/promises'
import { stampFiles } from '../adapters/policy-files'
import { effectivePolicy } from '../core/policy/effective'
import type { Policy } from '../core/policy/policy'
import { SqliteLogs } from '../db/commands/logs'
import { LocalConnection } from '../db/local-connection'
import type { FoundStore } from '../engine/ports'
import { LogTail, type TailReport } from '../engine/tail-logs'
import { openLogReader } from './logs'
import { filesOfStore, openPolicies, ownFile } from './policies'
import type { Setup, Variables } from './setup'

/** A line of a log has to show within a second. Milliseconds. */
const LOOK_MS = 500

/** Of a log that is read for the first time, no more than its end: what is older is for the command line. Bytes. */
const NEWEST_BYTES = 64 * 1024 * 1024

export type LogTailing = {
  readonly setup: Setup
  readonly variables: Variables
  readonly databaseFile: string
  /** The stores that are known by now; their policies say where logs are. */
  readonly stores: () => readonly FoundStore[]
  readonly named: readonly string[] | null
}

/** The policies in force, one for each store and one for no store in particular. */
export async function policiesOfStores(setup: Setup, stores: readonly FoundStore[]): Promise<Policy[]> {
  const documents = await openPolicies(setup, stores).documents()
  const own = ownFile(documents)
  return [null, ...stores].map(
    (store) => effectivePolicy({ own, store: filesOfStore(documents, store), chosen: null }).policy,
  )
}

/** Reads what is new in the logs, once. */
export async function tailLogsOnce(tailing: LogTailing): Promise<TailReport> {
  const connection = new LocalConnection(tailing.databaseFile)
  try {
    return await (await openTail(tailing, new SqliteLogs(connection))).read()
  } finally {
    connection.close()
  }
}

/** Reads logs as they grow, until `signal` says to stop. What goes wrong is told once, and tried again. */
export async function followLogs(
  tailing: LogTailing,
  signal: AbortSignal,
  onProblem: (message: string) => void,
): Promise<void> {
  const connection = new LocalConnection(tailing.databaseFile)
  const database = new SqliteLogs(connection)
  let told = ''
  let stamp: string | null = null
  let tail: LogTail | null = null
  try {
    while (!signal.aborted) {
      try {
        const now = stampOf(tailing)
        if (tail === null || now !== stamp) tail = await openTail(tailing, database)
        stamp = now
        await tail.read(signal)
        told = ''
      } catch (error) {
        const message = `The logs could not be read: ${error instanceof Error ? error.message : String(error)}`
        if (message !== told) onProblem(message)
        told = message
      }
      await wait(LOOK_MS, undefined, { signal }).catch(() => undefined)
    }
  } finally {
    connection.close()
  }
}

async function openTail(
  { setup, variables, stores, named }: LogTailing,
  database: SqliteLogs,
): Promise<LogTail> {
  const policies = await policiesOfStores(setup, stores())
  const places = { logs: policies.map(({ logs }) => logs), named, newestBytes: NEWEST_BYTES }
  return new LogTail(openLogReader(setup, variables, places), database)
}

/** Another text when a policy file changed, or there are other stores. */
function stampOf({ setup, stores }: LogTailing): string {
  const { places } = openPolicies(setup, stores())
  return [...places, stampFiles(places)].join('\n')
}
