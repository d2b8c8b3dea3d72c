import type { OwnPrices } from '../../core/tokens/own-prices'
import type { SearchWrite } from '../../db/search'
import type { ImportBatchReport, ImportJob } from '../../engine/ingest/ingest-ports'
import type { ImportRuntimes } from './import-judge'

/** What a thread of the import needs to start. */
export type WorkerSetup = {
  readonly databaseFile: string
  readonly withSearch: boolean
  /** The operator's own. */
  readonly prices: OwnPrices
  /** Folder of the archive; null: only what is in the stores is read. */
  readonly archive: string | null
  readonly databaseGate: SharedArrayBuffer
  readonly runtimes: ImportRuntimes
}

export type ToWorker =
  /** No jobs: there are no more. */
  | { readonly kind: 'jobs'; readonly jobs: readonly ImportJob[] }
  /** What was sent to the index is committed; a message when it could not be. */
  | { readonly kind: 'indexed'; readonly failure: string | null }

export type FromWorker =
  | { readonly kind: 'ready' }
  /** Words for the full-text index, which one thread alone writes: others would keep emptying its cache. */
  | { readonly kind: 'index'; readonly writes: readonly SearchWrite[] }
  | { readonly kind: 'batch'; readonly report: ImportBatchReport }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly message: string }
