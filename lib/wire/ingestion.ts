import { type Lease, type LeaseHolder, takeLease } from '../adapters/lease'
import { createStoreReader } from '../adapters/store-reader'
import { prepareContent } from '../db/commands/content-version'
import { type OpenIngest, openIngest } from '../db/commands/open-ingest'
import { CONTENT_VERSION } from '../engine/content-version'
import { IMPORT_LIMITS, importJobs } from '../engine/import-jobs'
import type { ImportLimits } from '../engine/import-session'
import type { IngestContext } from '../engine/ingest'
import type { ImportExecutor } from '../engine/ingest-ports'
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
 */
export async function takeIngestion(
  databaseFile: string,
  withSearch: boolean,
  limits: ImportLimits = IMPORT_LIMITS,
): Promise<IngestionResult> {
  const clock = { now: Date.now }
  const taken = takeLease(`${databaseFile}.lease`, clock.now())
  if (!taken.held) return taken
  const opened = openOrRelease(taken.lease, databaseFile, withSearch)
  const reader = createStoreReader()
  const inline: ImportExecutor = {
    run: (jobs, onBatch, signal) =>
      importJobs(() => reader, opened.ingest, jobs, onBatch, { signal, limits }),
  }
  const close = () => {
    opened.close()
    taken.lease.release()
  }
  try {
    await prepareContent(opened.connection, opened.search, CONTENT_VERSION)
  } catch (error) {
    close()
    throw error
  }
  const context: IngestContext = {
    clock,
    database: opened.ingest,
    readerOf: () => reader,
    executor: poolExecutor(inline, databaseFile, opened.search),
  }
  return { held: true, ingestion: { context, close } }
}

function openOrRelease(lease: Lease, databaseFile: string, withSearch: boolean): OpenIngest {
  try {
    return openIngest(databaseFile, withSearch)
  } catch (error) {
    lease.release()
    throw error
  }
}
