import type { Milliseconds } from '../units/units'
/** The state of a task. Whether it waits for others is not kept but worked out (`openDependencies`). */
export const TASK_STATES = ['pending', 'active', 'done', 'failed', 'cancelled'] as const

type TaskState = (typeof TASK_STATES)[number]

/** What a task came to: all that is left of it in words once its details have been pruned from the context. */
export type TaskResult = {
  readonly summary: string
  /** Files, addresses and other things that it left behind. */
  readonly artifacts: readonly string[]
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** A task of an agent: what is to be done, what it waits for, and what it came to. */
export type Task = {
  readonly id: string
  readonly title: string
  /** The task that this one is a part of; null for a task without a parent. */
  readonly parent: string | null
  readonly state: TaskState
  /** The higher one is done first; 0 unless said otherwise. */
  readonly priority: number
  /** Ids of tasks whose results this one needs. One that is not (yet) in the tree counts as open. */
  readonly dependencies: readonly string[]
  readonly result: TaskResult | null
  /** Milliseconds since the epoch. */
  readonly createdAt: Milliseconds
  readonly updatedAt: Milliseconds
}

/** The tasks of a session, in the order in which they were added. */
export type TaskTree = { readonly tasks: readonly Task[] }

export const NO_TASKS: TaskTree = { tasks: [] }

export function findTask({ tasks }: TaskTree, id: string): Task | null {
  return tasks.find((task) => task.id === id) ?? null
}

/** Nothing more will become of it without help. */
export function isSettled({ state }: Pick<Task, 'state'>): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled'
}

export function childrenOf({ tasks }: TaskTree, id: string): readonly Task[] {
  return tasks.filter(({ parent }) => parent === id)
}

/** The task that is worked on: of several, the one that was started last. */
export function activeTask({ tasks }: TaskTree): Task | null {
  const active = tasks.filter(({ state }) => state === 'active')
  return active.toSorted((a, b) => a.updatedAt - b.updatedAt).at(-1) ?? null
}

/** The tasks above one, the nearest first. A ring of parents ends where it begins. */
export function ancestorsOf(tree: TaskTree, { id, parent }: Pick<Task, 'id' | 'parent'>): Task[] {
  const above: Task[] = []
  const seen = new Set([id])
  for (let at = parent; at !== null && !seen.has(at); ) {
    seen.add(at)
    const task = findTask(tree, at)
    if (task === null) break
    above.push(task)
    at = task.parent
  }
  return above
}
