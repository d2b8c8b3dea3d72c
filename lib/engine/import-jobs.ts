import { type ImportedPart, type ImportLimits, importSession } from './import-session'
import type { ImportBatchReport, ImportJob, IngestDatabase } from './ingest-ports'
import type { StoreReader } from './ports'

/**
 * Bounds of one transaction: large enough to be cheap, small enough for a page to wait for, and for what is held until
 * then not to be copied around in memory for long.
 */
export const IMPORT_LIMITS: ImportLimits = { rows: 2500, bytes: 8 * 1024 * 1024 }

/**
 * Imports transcripts one after the other; small ones share a transaction. Rows and cursor of a part are committed
 * together, so an end at any moment loses nothing and doubles nothing.
 */
export async function importJobs(
  readerOf: (job: ImportJob) => StoreReader,
  database: IngestDatabase,
  jobs: Iterable<ImportJob> | AsyncIterable<ImportJob>,
  onBatch: (report: ImportBatchReport) => void,
  { limits = IMPORT_LIMITS, signal }: { limits?: ImportLimits; signal?: AbortSignal } = {},
): Promise<void> {
  let pending: ImportedPart[] = []
  let rows = 0
  let bytes = 0
  let writing: Promise<void> = Promise.resolve()
  const commit = async () => {
    // One transaction after the other; while one is written, the next is read.
    await writing
    if (pending.length === 0) return
    const batch = pending
    pending = []
    rows = 0
    bytes = 0
    writing = database
      .write(batch.map(({ part }) => part))
      .then((written) => onBatch(reportOf(batch, written)))
    // A failure is met where it is waited for, at the next batch or the end.
    writing.catch(() => undefined)
  }
  for await (const job of jobs) {
    if (signal?.aborted) break
    const checkpoint = await database.checkpoint(job.transcript.id)
    for await (const imported of importSession(readerOf(job), job, checkpoint, limits)) {
      pending.push(imported)
      // A session costs a few rows of its own, whatever it holds.
      rows += imported.part.facts.length + imported.part.frames.length + 2
      bytes += imported.bytes
      if (rows >= limits.rows || bytes >= limits.bytes) await commit()
      if (signal?.aborted) break
    }
  }
  await commit()
  await writing
}

function reportOf(
  batch: readonly ImportedPart[],
  written: { readonly revision: number; readonly rows: number },
): ImportBatchReport {
  const problems = batch.flatMap(({ part: { transcript, problem } }) =>
    problem === null ? [] : [{ id: transcript.id, path: transcript.path, problem }],
  )
  return {
    sessions: [...new Set(batch.map(({ part }) => part.transcript.id))],
    finished: batch.flatMap(({ part }) => (part.stamp === null ? [] : part.transcript.id)),
    entries: batch.reduce((sum, { part }) => sum + part.facts.length, 0),
    bytes: batch.reduce((sum, { bytes }) => sum + bytes, 0),
    ...written,
    problems,
  }
}
