import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { compileSoon } from '../../adapters/process/compile-soon'
import { reasonOf } from '../../core/words/reason-of'
import type { SearchSink, SearchWrite } from '../../db/search'
import { LogKeeper } from '../../db/sqlite/log-keeper'
import { gateMemory, writeGate } from '../../db/sqlite/write-gate'
import type { ImportBatchReport, ImportExecutor, ImportJob } from '../../engine/ingest/ingest-ports'
import type { AskRuntimes } from './import-judge'
import type { FromWorker, ToWorker, WorkerSetup } from './import-messages'

/** More threads than this wait for each other's transactions more than they read. */
const MOST_THREADS = 4
/** What makes starting threads worth while: bytes to be read, or sessions. */
const WORTH_BYTES = 24 * 1024 * 1024
const WORTH_SESSIONS = 400
/** Handed out at once; small enough for the threads to end at about the same time. */
const GROUP_BYTES = 4 * 1024 * 1024
const GROUP_JOBS = 100

/** Room for what a batch of entries leaves behind, so that it is not copied around while the batch lasts. */
const YOUNG_MB = 96

/** The import cannot go on: the database failed, or a thread ended without a word. */
class ImportFailedError extends Error {
  readonly code = 'IMPORT_FAILED'
}

/** The built worker beside this bundle; null when it was not built, as in tests. */
function workerFile(): string | null {
  // Put together by hand: a bundler would take `new URL('./…', import.meta.url)` for a file that it must find now.
  const file = join(dirname(fileURLToPath(import.meta.url)), 'import-worker.js')
  return existsSync(file) ? file : null
}

/**
 * Spreads large imports over threads, each with its own connections; small ones run in `inline`, which costs nothing
 * to start. Stopping ends the threads wherever they are: what they had not committed is read again the next time.
 */
export function poolExecutor(
  inline: ImportExecutor,
  given: Pick<WorkerSetup, 'databaseFile' | 'prices' | 'archive'>,
  search: SearchSink | null,
  runtimesOf: AskRuntimes,
): ImportExecutor {
  const { databaseFile } = given
  const file = workerFile()
  const threads = Math.min(availableParallelism(), MOST_THREADS)
  return {
    run: async (jobs, onBatch, signal) => {
      if (file === null || threads < 2 || !isWorthIt(jobs)) return inline.run(jobs, onBatch, signal)
      compileSoon()
      const databaseGate = gateMemory()
      const runtimes = await runtimesOf(jobs)
      const setup: WorkerSetup = { ...given, withSearch: search !== null, databaseGate, runtimes }
      const groups = groupJobs(jobs)
      // First of all: what fails here leaves no thread behind.
      const log = new LogKeeper(databaseFile, writeGate(databaseGate))
      const workers = Array.from(
        { length: threads },
        () => new Worker(file, { workerData: setup, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } }),
      )
      try {
        await Promise.all(workers.map((worker) => drive({ worker, groups, search, log, onBatch, signal })))
      } finally {
        await Promise.all(workers.map((worker) => worker.terminate()))
        log.close()
      }
    },
  }
}

function isWorthIt(jobs: readonly ImportJob[]): boolean {
  if (jobs.length >= WORTH_SESSIONS) return true
  return jobs.reduce((sum, { transcript }) => sum + transcript.stamp.size, 0) >= WORTH_BYTES
}

/** Jobs in the order given, in groups of a few megabytes. */
function groupJobs(jobs: readonly ImportJob[]): Iterator<readonly ImportJob[]> {
  return (function* () {
    let group: ImportJob[] = []
    let bytes = 0
    for (const job of jobs) {
      group.push(job)
      bytes += job.transcript.stamp.size
      if (group.length >= GROUP_JOBS || bytes >= GROUP_BYTES) {
        yield group
        group = []
        bytes = 0
      }
    }
    if (group.length > 0) yield group
  })()
}

type Drive = {
  readonly worker: Worker
  readonly groups: Iterator<readonly ImportJob[]>
  readonly search: SearchSink | null
  readonly log: LogKeeper
  readonly onBatch: (report: ImportBatchReport) => void
  readonly signal: AbortSignal | undefined
}

/** Feeds one thread until there is nothing left. */
function drive({ worker, groups, search, log, onBatch, signal }: Drive): Promise<void> {
  const tell = (message: ToWorker) => worker.postMessage(message)
  return new Promise((resolve, reject) => {
    const stop = () => resolve()
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) stop()
    worker.on('message', (message: FromWorker) => {
      if (signal?.aborted) return
      switch (message.kind) {
        case 'ready': {
          const next = groups.next()
          tell({ kind: 'jobs', jobs: next.done ? [] : next.value })
          break
        }
        case 'index':
          void index(search, message.writes).then((failure) => tell({ kind: 'indexed', failure }))
          break
        case 'batch':
          onBatch(message.report)
          try {
            log.keep(message.report.bytes)
          } catch (error) {
            reject(error)
          }
          break
        case 'done':
          resolve()
          break
        case 'failed':
          reject(new ImportFailedError(message.message))
          break
      }
    })
    worker.once('error', (error) =>
      reject(new ImportFailedError(`A thread of the import failed: ${error.message}`)),
    )
    worker.once('exit', () =>
      reject(new ImportFailedError('A thread of the import ended before its work was done')),
    )
  })
}

async function index(search: SearchSink | null, writes: readonly SearchWrite[]): Promise<string | null> {
  try {
    await search?.write(writes)
    return null
  } catch (error) {
    return reasonOf(error)
  }
}
