import { NO_TASKS, type TaskTree } from '../core/memory/task'

/** Where a conversation was when a task was started: the last message then. */
export type TaskMark = { readonly count: number; readonly key: string }

/** The tasks of a session and what belongs to them, as they outlive the process. */
export type StoredTasks = {
  readonly tree: TaskTree
  /** By the id of a task that is under way. */
  readonly marks: { readonly [task: string]: TaskMark }
  /** Facts that were recalled when a task was started, by its id: as they were, whatever becomes of them. */
  readonly recalled: { readonly [task: string]: readonly string[] }
}

export const NO_STORED_TASKS: StoredTasks = { tree: NO_TASKS, marks: {}, recalled: {} }

/** Keeps the tasks of each session. */
export interface TaskStore {
  /** @throws Error that names the file when what is there cannot be used; it is not thrown away */
  load(session: string): Promise<StoredTasks>
  save(session: string, tasks: StoredTasks): Promise<void>
}

/**
 * A store that lasts as long as its process.
 *
 * @example
 * ```ts
 * import { transientTasks } from 'plimsoll-agent'
 *
 * const store = transientTasks()
 * ```
 */
export function transientTasks(): TaskStore {
  const kept = new Map<string, StoredTasks>()
  return {
    load: async (session) => kept.get(session) ?? NO_STORED_TASKS,
    save: async (session, tasks) => {
      kept.set(session, tasks)
    },
  }
}
