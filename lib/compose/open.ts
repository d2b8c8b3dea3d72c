import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type Discovery,
  discoverStores,
  type LookMemory,
  newLookMemory,
} from '../adapters/discovery/discover'
import { type DemoRoot, findDemoRoots, writeDemoFiles } from '../adapters/files/demo-files'
import type { LeaseHolder } from '../adapters/files/lease'
import { progressFile, ReadingNotes } from '../adapters/files/reading-progress'
import { createStoreReader, type StoreReaderOptions } from '../adapters/stores/store-reader'
import type { Environment } from '../config/env'
import { ensureStateFolder, migrationsFolder, StateFolderError } from '../config/paths'
import { reasonOf } from '../core/words/reason-of'
import type { Database } from '../db/client'
import { DatabaseUrlError, databasePath } from '../db/database-url'
import { FullDiskError, fullDiskText, isFullDisk } from '../db/sqlite/full-disk'
import type { ArchiveKeeper, PassReport } from '../engine/archive/archive-keeper'
import type { IngestContext, IngestProgress, IngestReport } from '../engine/ingest/ingest'
import type { WatchEvent } from '../engine/ingest/watch'
import type { FoundStore, StoreReader } from '../engine/read/ports'
import { archiveRoot, followArchive, openKeeper, readerWithArchive } from './archive'
import type { Ingestion, IngestionResult } from './ingest/ingestion'
import type { Setup, Variables } from './setup'
import { storeTrust } from './stores/store-trust'

export type { Setup, Variables }

type Refusal = {
  readonly ok: false
  /** `newer`: made by a later version; `changed`: other tables than ours; `failed`: everything else. */
  readonly reason: 'newer' | 'changed' | 'failed'
  /** For the operator: what is wrong and what to do. */
  readonly message: string
}

export type OpenResult = { readonly ok: true; readonly database: Database } | Refusal

/**
 * Opens the database for pages, with all migrations applied. Calling it again in the same process answers the same
 * database. Failures are messages for the operator.
 */
export async function openDatabase(environment: Environment): Promise<OpenResult> {
  const prepared = await migrateDatabase(environment)
  if (!prepared.ok) return prepared
  const { openClient } = await import('../db/client')
  return { ok: true, database: openClient(environment.databaseUrl) }
}

/** Makes the database if it is missing and applies what migrations it lacks. Answers its file. */
export async function migrateDatabase(
  environment: Environment,
): Promise<{ readonly ok: true; readonly file: string } | Refusal> {
  const { databaseUrl, home } = environment
  try {
    ensureStateFolder(home)
    const file = databasePath(databaseUrl)
    // A folder that the operator named for the database is made when missing, but its mode is the operator's.
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const { openMigrated } = await import('../db/open-connection')
    const opened = openMigrated(file, migrationsFolder())
    if (!opened.ok) return opened
    opened.connection.close()
    return { ok: true, file }
  } catch (error) {
    if (error instanceof StateFolderError || error instanceof DatabaseUrlError) {
      return { ok: false, reason: 'failed', message: error.message }
    }
    return {
      ok: false,
      reason: 'failed',
      message: `The database ${databaseUrl} cannot be opened: ${databaseFailure(error, home)}`,
    }
  }
}

export type FoundStores = Discovery & { readonly reader: StoreReader }

/**
 * Looks for stores: those that are named, and nothing else; without names the known places (or what PLIMSOLL_STORES
 * has instead), the settings file's, and the demo if one was asked for.
 */
export async function findStores(
  setup: Setup,
  variables: Variables,
  named: readonly string[] | null,
  reading: StoreReaderOptions = {},
  memory?: LookMemory,
): Promise<FoundStores> {
  const { environment, settings } = setup
  const found = await discoverStores(
    {
      env: variables,
      home: environment.userHome,
      configured: [...settings.stores, ...findDemoRoots(environment.home)],
      instead: environment.stores,
      only: named,
      allows: (store, folder) =>
        storeTrust(setup, store, [
          { kind: 'openclaw', root: store },
          { kind: 'pi', root: join(store, 'sessions') },
        ]).folder(folder, join(store, 'settings')) !== null,
    },
    memory,
  )
  const reader = readerWithArchive(createStoreReader(reading), archiveRoot(environment))
  return { ...found, reader }
}

/** A reader of entries without their content, in small steps: for what need not read all of a transcript. */
export function outlineReader(
  { environment }: Setup,
  reading: Pick<StoreReaderOptions, 'lastLine'> = {},
): StoreReader {
  const limits = { outline: true, batchBytes: 1024 * 1024, batchFacts: 500 }
  return readerWithArchive(createStoreReader({ ...reading, limits }), archiveRoot(environment))
}

/**
 * Writes the demo store into the state folder, unless it is there.
 * @throws FullDiskError, StateFolderError
 */
export async function writeDemo({ home }: Environment): Promise<DemoRoot[]> {
  try {
    return await writeDemoFiles({ home: ensureStateFolder(home), now: Date.now() })
  } catch (error) {
    throw isFullDisk(error) ? new FullDiskError(home, error) : error
  }
}

/** Asks the process that reads the stores, if there is one, to look at all of them now. */
export async function askForRescan({ home }: Environment): Promise<void> {
  const { requestRescan } = await import('../adapters/discovery/rescan-request')
  requestRescan(ensureStateFolder(home), Date.now())
}

export type ImportOptions = {
  /** Only these stores; null: all that are found. */
  readonly named?: readonly string[] | null
  /** false leaves full-text search out. */
  readonly withSearch?: boolean
  readonly onProgress?: (progress: IngestProgress) => void
  readonly signal?: AbortSignal
}

export type IngestOutcome =
  | {
      readonly ok: true
      readonly report: IngestReport
      readonly found: FoundStores
      /** What the archive took; null when it is switched off. */
      readonly archived: PassReport | null
    }
  | Refusal
  /** Another process reads stores into this database. */
  | {
      readonly ok: false
      readonly reason: 'held'
      readonly holder: LeaseHolder | null
      readonly message: string
    }

/** Brings the database up to date with the stores, once. */
export async function ingestOnce(
  setup: Setup,
  variables: Variables,
  options: ImportOptions = {},
): Promise<IngestOutcome> {
  const migrated = await migrateDatabase(setup.environment)
  if (!migrated.ok) return migrated
  const { takeIngestion } = await import('./ingest/ingestion')
  let taken: IngestionResult
  try {
    const { prices } = setup.settings
    const archive = archiveRoot(setup.environment)
    const { askRuntimes } = await import('./ingest/import-judge')
    const withSearch = options.withSearch ?? true
    taken = await takeIngestion(migrated.file, withSearch, undefined, prices, archive, askRuntimes(setup))
  } catch (error) {
    return writeFailure(error, setup.environment)
  }
  if (!taken.held) {
    return { ok: false, reason: 'held', holder: taken.holder, message: heldMessage(taken.holder) }
  }
  const { ingest } = await import('../engine/ingest/ingest')
  try {
    const { context } = taken.ingestion
    const since = context.clock.now()
    const memory = { ...newLookMemory(), seen: await context.database.seenStores() }
    const found = await findStores(setup, variables, options.named ?? null, {}, memory)
    const which = options.named == null ? 'all' : 'these'
    const { fingerprints } = found
    const keeper = openKeeper(setup)
    const heard: IngestContext =
      keeper === null ? context : { ...context, ...hearing(keeper), mustList: () => true }
    const report = await ingest(heard, found.stores, { ...options, which, since, fingerprints })
    const archived = (await keeper?.pass({ eager: true, signal: options.signal })) ?? null
    const { stores } = found
    const { tailLogsOnce } = await import('./log-tail')
    await tailLogsOnce({
      ...{ setup, variables, databaseFile: migrated.file },
      ...{ named: options.named ?? null, stores: () => stores },
    })
    await judgeStoresOnce(setup, migrated.file, options.named == null ? null : stores)
    return { ok: true, report, found, archived }
  } catch (error) {
    return writeFailure(error, setup.environment)
  } finally {
    taken.ingestion.close()
  }
}

export type WatchOptions = {
  /** Only these stores; null: all that are found, also later. */
  readonly named?: readonly string[] | null
  readonly onEvent: (event: StoresEvent) => void
  readonly signal: AbortSignal
}

type StoresEvent =
  | WatchEvent
  /** From now on this process reads the stores. */
  | { readonly kind: 'reading' }
  /** Another process does; said once for each holder, tried again until it ends. */
  | { readonly kind: 'waiting'; readonly holder: LeaseHolder | null; readonly message: string }

/** How often a waiting process asks whether it is its turn. Milliseconds. */
const ASK_AGAIN_MS = 2000

/**
 * Keeps the database up to date with the stores until `signal` says to stop. While another process does so already,
 * it waits for its end and then takes over.
 */
export async function watchAll(
  setup: Setup,
  variables: Variables,
  { named = null, onEvent, signal }: WatchOptions,
): Promise<{ readonly ok: true } | Refusal> {
  const migrated = await migrateDatabase(setup.environment)
  if (!migrated.ok) return migrated
  const { takeIngestion } = await import('./ingest/ingestion')
  let reported: number | null | undefined
  while (!signal.aborted) {
    let taken: IngestionResult
    try {
      const archive = archiveRoot(setup.environment)
      const { askRuntimes } = await import('./ingest/import-judge')
      const { prices } = setup.settings
      taken = await takeIngestion(migrated.file, true, undefined, prices, archive, askRuntimes(setup))
    } catch (error) {
      return writeFailure(error, setup.environment)
    }
    if (taken.held) {
      onEvent({ kind: 'reading' })
      try {
        await watchWith(taken.ingestion, migrated.file, setup, variables, { named, onEvent, signal })
      } finally {
        taken.ingestion.close()
      }
      break
    }
    const { holder } = taken
    if (reported !== (holder?.pid ?? null)) onEvent({ kind: 'waiting', holder, message: heldMessage(holder) })
    reported = holder?.pid ?? null
    await wait(ASK_AGAIN_MS, undefined, { signal }).catch(() => undefined)
  }
  return { ok: true }
}

async function watchWith(
  { context }: Ingestion,
  databaseFile: string,
  setup: Setup,
  variables: Variables,
  { named = null, onEvent, signal }: WatchOptions,
): Promise<void> {
  const { watchStores } = await import('../engine/ingest/watch')
  const { watchedFiles } = await import('../adapters/discovery/watch-files')
  const { onRescanRequest } = await import('../adapters/discovery/rescan-request')
  const { followLogs } = await import('./log-tail')
  const memory = newLookMemory()
  let stores: readonly FoundStore[] = []
  const discover = async () => {
    const seen = await context.database.seenStores()
    stores = (await findStores(setup, variables, named, {}, { ...memory, seen })).stores
    return stores
  }
  const onProblem = (message: string) => onEvent({ kind: 'problem', message })
  const logs = followLogs({ setup, variables, databaseFile, named, stores: () => stores }, signal, onProblem)
  const keeper = openKeeper(setup)
  const archive = keeper === null ? null : followArchive(keeper, signal, onProblem)
  const { openStoreJudge } = await import('./stores/store-findings')
  const { StoreFollower } = await import('../engine/findings/follow-stores')
  const judge = openStoreJudge(setup, databaseFile)
  const follower = new StoreFollower(
    () => judge.judge(named === null ? null : idsOf(stores), context.clock.now()),
    context.clock,
  )
  const judging = follower.run(signal, onProblem).finally(() => judge.close())
  const notes = new ReadingNotes(progressFile(databaseFile), context.clock.now)
  await watchStores(
    {
      ...context,
      ...(keeper === null ? {} : hearing(keeper)),
      files: watchedFiles,
      discover,
      which: named === null ? 'all' : 'these',
      onEvent: (event) => {
        if (event.kind === 'changed') keeper?.takeChanged(event.sessions)
        else if (event.kind === 'progress') notes.note(event.progress)
        else if (event.kind === 'swept') notes.clear()
        if (event.kind === 'changed' || event.kind === 'swept') follower.note('sessions')
        onEvent(event)
      },
      onLock: () => follower.note('locks'),
      onRescanRequest: (listener) => onRescanRequest(setup.environment.home, listener),
    },
    signal,
  )
  notes.clear()
  await Promise.all([logs, archive, judging])
}

/** @param named the stores that were named; null: all that there are */
async function judgeStoresOnce(
  setup: Setup,
  databaseFile: string,
  named: readonly FoundStore[] | null,
): Promise<void> {
  const { openStoreJudge } = await import('./stores/store-findings')
  const judge = openStoreJudge(setup, databaseFile)
  try {
    await judge.judge(named === null ? null : idsOf(named), Date.now())
  } finally {
    judge.close()
  }
}

function idsOf(stores: readonly FoundStore[]): ReadonlySet<string> {
  return new Set(stores.map(({ id }) => id))
}

/** Lets the archive know what the stores were found to contain. */
function hearing(keeper: ArchiveKeeper): Pick<IngestContext, 'onListed'> {
  return { onListed: (...listed) => keeper.takeListing(...listed) }
}

function writeFailure(error: unknown, { home }: Environment): Refusal {
  return {
    ok: false,
    reason: 'failed',
    message: `The database cannot be written: ${databaseFailure(error, home)}`,
  }
}

/** @param home the state folder, which the system does not name when it has no room */
function databaseFailure(error: unknown, home: string): string {
  if (isFullDisk(error)) return fullDiskText(home)
  return reasonOf(error)
}

function heldMessage(holder: LeaseHolder | null): string {
  const who =
    holder === null
      ? 'Another process'
      : `Process ${holder.pid} on ${holder.host} (since ${new Date(holder.since).toISOString()})`
  return `${who} reads the stores into this database. What it reads is shown here as well; when it ends, another can take over.`
}
