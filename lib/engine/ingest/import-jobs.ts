import type { Bytes } from '../../core/units/units'
import type { StoreReader } from '../read/ports'
import { type ImportJudging, type ImportLimits, importSession } from './import-session'
import type { ImportBatchReport, ImportJob, IngestDatabase, PackedPart } from './ingest-ports'

/**
 * Bounds of one transaction: large enough to be cheap, small enough for a page to wait for, and for what is held until
 * then not to be copied around in memory for long.
 */
export const IMPORT_LIMITS: ImportLimits = { rows: 2500, bytes: 8 * 1024 * 1024 }

/**
 * Imports transcripts one after the other; small ones share a transaction. Rows and cursor of a part are committed
 * together, so an end at any moment loses nothing and doubles nothing. Without a judge (null) no findings are looked for.
 */
export async function importJobs<Packed extends PackedPart>(
  readerOf: (job: ImportJob) => StoreReader,
  database: IngestDatabase<Packed>,
  jobs: Iterable<ImportJob> | AsyncIterable<ImportJob>,
  onBatch: (report: ImportBatchReport) => void,
  {
    limits = IMPORT_LIMITS,
    signal,
    ...judging
  }: { limits?: ImportLimits; signal?: AbortSignal } & ImportJudging = {},
): Promise<void> {
  let pending: Packed[] = []
  let rows = 0
  let bytes = 0
  let writing: Promise<void> = Promise.resolve()
  const commit = async () => {
    // One transaction after the other; while one is written, the next is read.
    await writing
    if (pending.length === 0) return
    const batch = pending
    const read = bytes
    pending = []
    rows = 0
    bytes = 0
    writing = database.write(batch).then((written) => onBatch(reportOf(batch, read, written)))
    // A failure is met where it is waited for, at the next batch or the end.
    writing.catch(() => undefined)
  }
  const wanted = { texts: database.wantsTexts }
  for await (const job of jobs) {
    if (signal?.aborted) break
    const checkpoint = await database.checkpoint(job.transcript.id)
    for await (const imported of importSession(readerOf(job), job, checkpoint, limits, wanted, judging)) {
      const { part } = imported
      pending.push(database.pack(part))
      // A session costs its own few rows, whatever it holds.
      rows += part.facts.length + part.frames.length + 2
      bytes += imported.bytes
      if (rows >= limits.rows || bytes >= limits.bytes) await commit()
      if (signal?.aborted) break
    }
  }
  await commit()
  await writing
}

function reportOf(
  batch: readonly PackedPart[],
  bytes: Bytes,
  written: { readonly revision: number; readonly rows: number },
): ImportBatchReport {
  const problems = batch.flatMap(({ transcript: { id, path }, problem }) =>
    problem === null ? [] : [{ id, path, problem }],
  )
  return {
    sessions: [...new Set(batch.map(({ transcript }) => transcript.id))],
    finished: batch.flatMap(({ transcript, stamp }) => (stamp === null ? [] : transcript.id)),
    entries: batch.reduce((sum, { entries }) => sum + entries, 0),
    bytes,
    ...written,
    problems,
  }
}
