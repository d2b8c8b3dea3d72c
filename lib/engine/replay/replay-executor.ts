import { doReplayTask, type ReplayedTask, type ReplayTask, type ReplayWorkPorts } from './replay-work'

/**
 * Does tasks, in this thread or spread over several, in any order. Resolves when all are done or `signal` says to stop;
 * rejects when a thread or the database fails.
 */
export interface ReplayExecutor {
  run(
    tasks: readonly ReplayTask[],
    onDone: (index: number, done: ReplayedTask) => void,
    signal?: AbortSignal,
  ): Promise<void>
}

/** Does them one after another in this thread, which others get between two of them. */
export function inlineExecutor(ports: ReplayWorkPorts): ReplayExecutor {
  return {
    run: async (tasks, onDone, signal) => {
      for (const [index, task] of tasks.entries()) {
        if (signal?.aborted) return
        onDone(index, await doReplayTask(ports, task))
        await new Promise((resolve) => setTimeout(resolve, 0))
      }
    },
  }
}
