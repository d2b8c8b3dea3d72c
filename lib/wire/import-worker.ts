// A thread of the import: reads transcripts, folds them and writes their rows, as the pool hands them out.
import { parentPort, workerData } from 'node:worker_threads'
import { createStoreReader } from '../adapters/store-reader'
import { openIngest } from '../db/commands/open-ingest'
import { writeGate } from '../db/write-gate'
import { importJobs } from '../engine/import-jobs'
import type { ImportJob } from '../engine/ingest-ports'
import type { FromWorker, ToWorker, WorkerSetup } from './import-messages'

const port = parentPort
if (port === null) throw new Error('This file is a worker thread of the import and is not started by itself')

const setup = workerData as WorkerSetup
const say = (message: FromWorker) => port.postMessage(message)
const opened = openIngest(setup.databaseFile, setup.withSearch, {
  database: writeGate(setup.databaseGate),
  search: writeGate(setup.searchGate),
})
const reader = createStoreReader()

/** Jobs as they come; asks for more before it waits, and ends when there are none. */
async function* jobs(): AsyncGenerator<ImportJob> {
  for (;;) {
    const message = await new Promise<ToWorker>((resolve) => {
      port?.once('message', resolve)
      say({ kind: 'ready' })
    })
    if (message.jobs.length === 0) return
    yield* message.jobs
  }
}

try {
  await importJobs(
    () => reader,
    opened.ingest,
    jobs(),
    (report) => say({ kind: 'batch', report }),
  )
  say({ kind: 'done' })
} catch (error) {
  say({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
} finally {
  opened.close()
}
