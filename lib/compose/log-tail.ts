import { setTimeout as wait } from 'node:timers/promises'
import { stampFiles } from '../adapters/policy/policy-files'
import { reasonOf } from '../core/words/reason-of'
import { LogRows } from '../db/commands/logs'
import { openConnection } from '../db/open-connection'
import { LogTail, type TailReport } from '../engine/logs/tail-logs'
import type { FoundStore } from '../engine/read/ports'
import { openLogReader } from './logs'
import { openPolicies } from './policy/policies'
import { policiesOfStores } from './policy/policy-sources'
import type { Setup, Variables } from './setup'

/** A line of a log has to show within a second. Milliseconds. */
const CHECK_MS = 500

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

/** Reads what is new in the logs, once. */
export async function tailLogsOnce(tailing: LogTailing): Promise<TailReport> {
  const connection = openConnection(tailing.databaseFile)
  try {
    return await (await openTail(tailing, new LogRows(connection))).read()
  } finally {
    connection.close()
  }
}

/** Reads logs as they grow, until `signal` says to stop. What goes wrong is reported once, and tried again. */
export async function followLogs(
  tailing: LogTailing,
  signal: AbortSignal,
  onProblem: (message: string) => void,
): Promise<void> {
  const connection = openConnection(tailing.databaseFile)
  const database = new LogRows(connection)
  let reported = ''
  let stamp: string | null = null
  let tail: LogTail | null = null
  try {
    while (!signal.aborted) {
      try {
        const now = stampOf(tailing)
        if (tail === null || now !== stamp) tail = await openTail(tailing, database)
        stamp = now
        await tail.read(signal)
        reported = ''
      } catch (error) {
        const message = `The logs could not be read: ${reasonOf(error)}`
        if (message !== reported) onProblem(message)
        reported = message
      }
      await wait(CHECK_MS, undefined, { signal }).catch(() => undefined)
    }
  } finally {
    connection.close()
  }
}

async function openTail(
  { setup, variables, stores, named }: LogTailing,
  database: LogRows,
): Promise<LogTail> {
  const known = stores()
  const policies = policiesOfStores(await openPolicies(setup, known).documents(), known)
  const places = { policies, named, newestBytes: NEWEST_BYTES }
  return new LogTail(openLogReader(setup, variables, places), database)
}

/** Another text when a policy file changed, or there are other stores. */
function stampOf({ setup, stores }: LogTailing): string {
  const { places } = openPolicies(setup, stores())
  return [...places, stampFiles(places)].join('\n')
}
