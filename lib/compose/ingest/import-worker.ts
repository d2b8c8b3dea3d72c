// A thread of the import: reads transcripts, folds them and writes their rows, as the pool hands them out.

import { parentPort, workerData } from 'node:worker_threads'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { reasonOf } from '../../core/words/reason-of'
import { IngestRows } from '../../db/commands/ingest'
import type { SearchSink } from '../../db/search'
import { openBulkWriter } from '../../db/sqlite/bulk-writer'
import { writeGate } from '../../db/sqlite/write-gate'
import { importJobs } from '../../engine/ingest/import-jobs'
import type { ImportJob } from '../../engine/ingest/ingest-ports'
import { readerWithArchive } from '../archive'
import { importJudge } from './import-judge'
import type { FromWorker, ToWorker, WorkerSetup } from './import-messages'

const port = parentPort
if (port === null) throw new Error('This file is a worker thread of the import and is not started by itself')

const setup = workerData as WorkerSetup
const say = (message: FromWorker, given: ArrayBuffer[] = []) => port.postMessage(message, given)
const connection = openBulkWriter(setup.databaseFile, writeGate(setup.databaseGate))
const plain = createStoreReader()
const reader = setup.archive === null ? plain : readerWithArchive(plain, setup.archive)

/** At most one question of each kind is open at a time. */
let takeJobs: (jobs: readonly ImportJob[]) => void = () => undefined
let takeIndexed: (failure: string | null) => void = () => undefined
port.on('message', (message: ToWorker) => {
  if (message.kind === 'jobs') takeJobs(message.jobs)
  else takeIndexed(message.failure)
})

/** Jobs as they come, until there are none. The next ones are asked for early: who hands them out may be busy. */
async function* jobs(): AsyncGenerator<ImportJob> {
  let coming = askForJobs()
  for (;;) {
    const group = await coming
    if (group.length === 0) return
    coming = askForJobs()
    yield* group
  }
}

function askForJobs(): Promise<readonly ImportJob[]> {
  return new Promise((resolve) => {
    takeJobs = resolve
    say({ kind: 'ready' })
  })
}

const search: SearchSink = {
  write: async (writes) => {
    const failure = await new Promise<string | null>((resolve) => {
      takeIndexed = resolve
      // The texts are no longer needed here: they need not be copied.
      const bytes = writes.flatMap(({ texts }) => [texts.bytes.buffer, texts.lengths.buffer] as ArrayBuffer[])
      say({ kind: 'index', writes }, bytes)
    })
    if (failure !== null) throw new Error(failure)
  },
}

try {
  const database = new IngestRows(connection, setup.withSearch ? search : null, setup.prices)
  await importJobs(
    () => reader,
    database,
    jobs(),
    (report) => say({ kind: 'batch', report }),
    { judge: importJudge(setup.prices, setup.runtimes) },
  )
  say({ kind: 'done' })
} catch (error) {
  say({ kind: 'failed', message: reasonOf(error) })
} finally {
  connection.close()
  port.close()
}
