import { type Lease, type LeaseHolder, takeLease } from '../../adapters/files/lease'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { NO_PRICES, type OwnPrices } from '../../core/tokens/own-prices'
import { prepareContent } from '../../db/commands/content-version'
import { type OpenIngest, openIngest } from '../../db/open-ingest'
import { keepPrivate } from '../../db/sqlite/private-file'
import { GrowingSessions } from '../../engine/ingest/growing-sessions'
import { IMPORT_LIMITS, importJobs } from '../../engine/ingest/import-jobs'
import type { ImportLimits } from '../../engine/ingest/import-session'
import type { IngestContext } from '../../engine/ingest/ingest'
import type { ImportExecutor } from '../../engine/ingest/ingest-ports'
import { CONTENT_VERSION } from '../../engine/read/content-version'
import { fingerprint } from '../../engine/read/fingerprint'
import { readerWithArchive } from '../archive'
import { type AskRuntimes, importJudges } from './import-judge'
import { poolExecutor } from './import-pool'

/** Everything that reading stores into one database takes, held by this process alone until `close`. */
export type Ingestion = { readonly context: IngestContext; close(): void }

export type IngestionResult =
  | { readonly held: true; readonly ingestion: Ingestion }
  /** Another process reads stores into this database; null when it has not said yet who it is. */
  | { readonly held: false; readonly holder: LeaseHolder | null }

/**
 * Takes the right to import into a migrated database and puts the parts of an import together.
 * @param withSearch false leaves full-text search out, as a measurement does
 * @param limits of one transaction, where they are read in this thread
 * @param prices the operator's own; with other ones than before, the stores are read again
 * @param runtimesOf what is known of the runtimes whose sessions are read, for what is found in them
 * @param archive folder of the archive, whose transcripts are read as well; null: only what is in the stores
 */
export async function takeIngestion(
  databaseFile: string,
  withSearch: boolean,
  limits: ImportLimits = IMPORT_LIMITS,
  prices: OwnPrices = NO_PRICES,
  archive: string | null = null,
  runtimesOf: AskRuntimes = async () => new Map(),
): Promise<IngestionResult> {
  const clock = { now: Date.now }
  const leaseFile = `${databaseFile}.lease`
  // SQLite would make it for all to read.
  keepPrivate(leaseFile)
  const taken = takeLease(leaseFile, clock.now())
  if (!taken.held) return taken
  const opened = openOrRelease(taken.lease, databaseFile, { withSearch, prices })
  const plain = createStoreReader()
  const reader = archive === null ? plain : readerWithArchive(plain, archive)
  const judgeOf = importJudges(prices)
  const growing = new GrowingSessions()
  const saveGrowing = () => growing.settle((id, signsJson) => opened.ingest.saveSigns(id, signsJson))
  const inline: ImportExecutor = {
    run: async (jobs, onBatch, signal) => {
      const judge = judgeOf(await runtimesOf(jobs))
      await importJobs(() => reader, opened.ingest, jobs, onBatch, { signal, limits, judge, growing })
    },
  }
  const close = () => {
    try {
      // Without them the sessions would be read again as a whole when they go on.
      saveGrowing()
    } finally {
      opened.close()
      taken.lease.release()
    }
  }
  try {
    await prepareContent(opened.connection, opened.search, contentVersion(prices))
  } catch (error) {
    close()
    throw error
  }
  // Threads know nothing of this one's memory.
  const forThreads: AskRuntimes = (jobs) => {
    saveGrowing()
    return runtimesOf(jobs)
  }
  const context: IngestContext = {
    clock,
    database: opened.ingest,
    readerOf: () => reader,
    executor: poolExecutor(inline, { databaseFile, prices, archive }, opened.search, forThreads),
  }
  return { held: true, ingestion: { context, close } }
}

/** What rows are made with: costs are in them, so that other prices make others. */
function contentVersion(prices: OwnPrices): string {
  const names = Object.keys(prices).sort()
  if (names.length === 0) return CONTENT_VERSION
  return `${CONTENT_VERSION}+${fingerprint(JSON.stringify(names.map((name) => [name, prices[name]])))}`
}

function openOrRelease(
  lease: Lease,
  databaseFile: string,
  { withSearch, prices }: { readonly withSearch: boolean; readonly prices: OwnPrices },
): OpenIngest {
  try {
    return openIngest(databaseFile, withSearch, prices)
  } catch (error) {
    lease.release()
    throw error
  }
}
