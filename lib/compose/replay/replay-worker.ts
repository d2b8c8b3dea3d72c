// A thread that replays: makes sessions ready and tries policies on them, one after another, as the pool hands them out.

import { parentPort, workerData } from 'node:worker_threads'
import { reasonOf } from '../../core/words/reason-of'
import { doReplayTask } from '../../engine/replay/replay-work'
import type { FromReplayWorker, ReplayWorkerSetup, ToReplayWorker } from './replay-messages'
import { openReplayWork } from './replay-work'

const port = parentPort
if (port === null) throw new Error('This file is a worker thread of a replay and is not started by itself')

const say = (message: FromReplayWorker) => port.postMessage(message)
const work = openReplayWork(workerData as ReplayWorkerSetup)

port.on('message', (message: ToReplayWorker) => {
  if (message === null) {
    work.close()
    port.close()
    return
  }
  doReplayTask(work.ports, message.task).then(
    (done) => say({ kind: 'done', index: message.index, done }),
    (error: unknown) => say({ kind: 'failed', message: reasonOf(error) }),
  )
})
