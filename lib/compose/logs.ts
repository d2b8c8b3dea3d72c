import { join, resolve } from 'node:path'
import { confinedFolder } from '../adapters/discovery/confined-folder'
import { knownPlaces } from '../adapters/discovery/known-places'
import { fileContextLog } from '../adapters/logs/file-context-log'
import { logReader } from '../adapters/logs/log-reader'
import { notify } from '../adapters/process/notify'
import type { CommandFacts } from '../adapters/process/run-command'
import { absolutePath } from '../config/env'
import type { LogRecord } from '../core/logs/log-fields'
import { loggedKinds } from '../core/logs/logged-kinds'
import { isOfKind } from '../core/logs/read-log-line'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { Policy } from '../core/policy/policy'
import type { Bytes } from '../core/units/units'
import type { Notified } from '../engine/logs/check-health'
import { LogFollower } from '../engine/logs/follow-logs'
import type { LogReader, OpenLog } from '../engine/logs/log-ports'
import type { PoliciesOfStores } from './policy/policy-sources'
import type { Setup, Variables } from './setup'

/** Below the root of a store, and below our own state folder. */
const BELOW = ['logs', 'context'] as const

/** Opens the log that a policy asks for. */
export function openLog(setup: Setup): OpenLog {
  return (logs) =>
    fileContextLog({
      folder: logFolder(setup, logs),
      kinds: loggedKinds(logs),
      clock: { now: Date.now },
    })
}

/**
 * Where a policy's logs are written. Where PLIMSOLL_STORES takes the place of what is known of this machine, nothing is
 * written to the known place either, but to the state folder.
 */
export function logFolder({ environment }: Setup, { path }: Pick<Policy['logs'], 'path'>): string {
  const { home, stores, userHome } = environment
  if (stores !== null && path === DEFAULT_POLICY.logs.path) return join(home, ...BELOW)
  // Without the slash at its end, so that one folder has one name.
  return resolve(absolutePath(path, userHome, userHome))
}

/** Where to look for logs. */
export type LogPlaces = {
  /** The policies in force. */
  readonly policies: PoliciesOfStores
  /** Stores that were named instead of those of this machine; null: all that are known. Absolute paths. */
  readonly named: readonly string[] | null
  /** Of a log that is read for the first time, no more than its end. Bytes; all of it, if not said. */
  readonly newestBytes?: Bytes
}

/** Logs where policies have them, and below the roots where agents keep their state. */
export function openLogReader(setup: Setup, variables: Variables, places: LogPlaces): LogReader {
  const { policies, named, newestBytes = null } = places
  const [own, stores] = [policies.slice(-1), policies.slice(0, -1)]
  const roots = named ?? knownRoots(setup, variables)
  // A link in a store leads to no logs outside of it.
  const below = roots.flatMap((root) => {
    const folder = join(root, ...BELOW)
    return confinedFolder(folder, [root]) === null ? [] : [folder]
  })
  const folders = [...[...own, ...stores].map(({ logs }) => logFolder(setup, logs)), ...below]
  return logReader([...new Set(folders)], newestBytes)
}

function knownRoots({ environment, settings }: Setup, variables: Variables): string[] {
  const { home, stores, userHome } = environment
  const known = knownPlaces({ env: variables, home: userHome })
    .filter(({ kind }) => kind === 'openclaw')
    .map((place) => place.path)
  return [home, ...(stores ?? known), ...settings.stores.map((store) => store.path)]
}

/** The logs in one folder. */
export function openLogFolder(folder: string): LogReader {
  return logReader([folder])
}

/** Answers the last line of a session in the health log that is being written to; null when there is none to read. */
export type LastHealth = (
  setup: Setup,
  logs: Pick<Policy['logs'], 'path'>,
  sessionId: string,
) => Promise<LogRecord<'health'> | null>

/** Looks up last lines, reading each log only once, however many sessions are asked about. */
export function lastHealths(): LastHealth {
  const known = new Map<string, Promise<ReadonlyMap<string, LogRecord<'health'>>>>()
  return async (setup, logs, sessionId) => {
    const folder = logFolder(setup, logs)
    const lines = known.get(folder) ?? readHealth(folder)
    known.set(folder, lines)
    return (await lines).get(sessionId) ?? null
  }
}

async function readHealth(folder: string): Promise<ReadonlyMap<string, LogRecord<'health'>>> {
  const reader = logReader([folder])
  const current: LogReader = {
    ...reader,
    folders: () =>
      reader.folders().map((each) => ({ ...each, logs: each.logs.filter(({ age }) => age === 0) })),
  }
  const last = new Map<string, LogRecord<'health'>>()
  for await (const { records } of new LogFollower(current, ['health']).read())
    for (const { record } of records)
      if (isOfKind(record, 'health') && record.sessionId !== null) last.set(record.sessionId, record)
  return last
}

/** Tells the operator by the command and the webhook of the settings file, where that was not done already. */
export function notifyOperator(
  { settings }: Setup,
  facts: CommandFacts,
  alreadyNotified: ReadonlySet<string>,
): Promise<Notified> {
  const { command, webhook, timeoutSeconds } = settings.health
  return notify({ command, webhook, timeoutMs: timeoutSeconds * 1000 }, facts, alreadyNotified)
}
