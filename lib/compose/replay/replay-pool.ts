import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { compileSoon } from '../../adapters/process/compile-soon'
import { inlineExecutor, type ReplayExecutor } from '../../engine/replay/replay-executor'
import type { ReplayTask } from '../../engine/replay/replay-work'
import type { FromReplayWorker, ReplayWorkerSetup, ToReplayWorker } from './replay-messages'
import { openReplayWork } from './replay-work'

/** More threads than this leave a small machine nothing for its pages. */
const MOST_THREADS = 4

/** A thread ended without a word, or could not go on. */
class ReplayFailedError extends Error {
  readonly code = 'REPLAY_FAILED'
}

/**
 * Replays in separate threads, so that pages are answered meanwhile. Stopping ends the threads wherever they are: what
 * they kept is whole.
 * @param file of the threads; null: it was not built, as in tests, and this thread does the work
 * @param wanted threads; undefined: as many as the machine bears
 */
export function replayPool(file: string | null, setup: ReplayWorkerSetup, wanted?: number): ReplayExecutor {
  return {
    run: async (tasks, onDone, signal) => {
      if (file === null) return runInline(setup, tasks, onDone, signal)
      const threads = Math.min(wanted ?? Math.min(availableParallelism(), MOST_THREADS), tasks.length)
      const rest = tasks.entries()
      compileSoon()
      const workers = Array.from({ length: threads }, () => new Worker(file, { workerData: setup }))
      try {
        await Promise.all(workers.map((worker) => drive(worker, rest, onDone, signal)))
      } finally {
        await Promise.all(workers.map((worker) => worker.terminate()))
      }
    },
  }
}

async function runInline(setup: ReplayWorkerSetup, ...run: Parameters<ReplayExecutor['run']>): Promise<void> {
  const work = openReplayWork(setup)
  try {
    await inlineExecutor(work.ports).run(...run)
  } finally {
    work.close()
  }
}

/** Feeds one thread until there is nothing left. */
function drive(
  worker: Worker,
  rest: IterableIterator<[number, ReplayTask]>,
  onDone: Parameters<ReplayExecutor['run']>[1],
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const tell = (message: ToReplayWorker) => worker.postMessage(message)
    const next = () => {
      const { value, done } = rest.next()
      if (done === true) {
        tell(null)
        resolve()
      } else tell({ index: value[0], task: value[1] })
    }
    signal?.addEventListener('abort', () => resolve(), { once: true })
    if (signal?.aborted) return resolve()
    worker.on('message', (message: FromReplayWorker) => {
      if (signal?.aborted) return
      if (message.kind === 'failed') return reject(new ReplayFailedError(message.message))
      onDone(message.index, message.done)
      next()
    })
    worker.once('error', (error) =>
      reject(new ReplayFailedError(`A thread of the replay failed: ${error.message}`)),
    )
    worker.once('exit', () =>
      reject(new ReplayFailedError('A thread of the replay ended before its work was done')),
    )
    next()
  })
}
