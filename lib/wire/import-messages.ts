import type { ImportBatchReport, ImportJob } from '../engine/ingest-ports'

/** What a thread of the import needs to start. */
export type WorkerSetup = {
  readonly databaseFile: string
  readonly withSearch: boolean
  readonly databaseGate: SharedArrayBuffer
  readonly searchGate: SharedArrayBuffer
}

/** No jobs: there are no more. */
export type ToWorker = { readonly jobs: readonly ImportJob[] }

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'batch'; readonly report: ImportBatchReport }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly message: string }
