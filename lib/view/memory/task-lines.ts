import { childrenOf, type Task, type TaskTree } from '../../core/memory/task'
import { openDependencies, readyTasks, taskCycles } from '../../core/memory/task-order'
import { maskSecrets } from '../../core/redaction/secrets'
import type { Milliseconds } from '../../core/units/units'

/** A task as a line of a tree: how deep it is, and what it waits for. */
export type TaskLine = {
  readonly id: string
  readonly title: string
  /** 0 for a task without a parent. */
  readonly depth: number
  readonly state: Task['state'] | 'ready' | 'waiting' | 'ring'
  readonly priority: number
  /** What it depends on and is not done, with why. */
  readonly waits: readonly { readonly id: string; readonly why: string }[]
  /** The ring of tasks that wait for each other that it is a part of; empty for none. */
  readonly ring: readonly string[]
  readonly summary: string | null
  readonly artifacts: readonly string[]
  /** Milliseconds since the epoch. */
  readonly updatedAt: Milliseconds
}

export type TaskSums = { readonly total: number; readonly done: number; readonly rings: number }

/** The tasks of a tree, parts below their whole, in the order in which they were added. */
export function taskLines(tree: TaskTree): TaskLine[] {
  const rings = taskCycles(tree)
  const ready = new Set(readyTasks(tree).map(({ id }) => id))
  const lines: TaskLine[] = []
  const shown = new Set<string>()
  const add = (task: Task, depth: number) => {
    if (shown.has(task.id)) return
    shown.add(task.id)
    const ring = rings.find((ids) => ids.includes(task.id)) ?? []
    const { id, title, priority, updatedAt, result } = task
    lines.push({
      id,
      title,
      depth,
      priority,
      updatedAt,
      state: stateOf(task, ready, ring),
      waits: task.state === 'pending' ? openDependencies(tree, task) : [],
      ring,
      summary: result?.summary ?? null,
      artifacts: result?.artifacts ?? [],
    })
    for (const child of childrenOf(tree, id)) add(child, depth + 1)
  }
  for (const task of tree.tasks) if (task.parent === null) add(task, 0)
  // Parents that are gone or in a ring leave no entry out.
  for (const task of tree.tasks) add(task, 0)
  return lines
}

/** States in the order of urgency for the owner of a tree. */
const PRESSING: readonly TaskLine['state'][] = ['active', 'ring', 'failed', 'ready', 'waiting', 'pending']

/**
 * The lines of a long tree that matter most now, what was done last after what is to be done; in the order of the tree.
 */
export function pressingLines(lines: readonly TaskLine[], most: number): readonly TaskLine[] {
  if (lines.length <= most) return lines
  const rank = ({ state }: TaskLine) => (PRESSING.includes(state) ? PRESSING.indexOf(state) : PRESSING.length)
  const kept = new Set(
    lines.toSorted((a, b) => rank(a) - rank(b) || b.updatedAt - a.updatedAt).slice(0, most),
  )
  return lines.filter((line) => kept.has(line))
}

/** A line with credentials covered, for everybody who shows it. */
export function maskedLine(line: TaskLine): TaskLine {
  return {
    ...line,
    title: maskSecrets(line.title),
    summary: line.summary === null ? null : maskSecrets(line.summary),
    artifacts: line.artifacts.map(maskSecrets),
  }
}

export function taskSums(lines: readonly TaskLine[]): TaskSums {
  const rings = new Set(lines.flatMap(({ ring }) => (ring.length === 0 ? [] : [ring.join(' ')])))
  return {
    total: lines.length,
    done: lines.filter(({ state }) => state === 'done').length,
    rings: rings.size,
  }
}

function stateOf(task: Task, ready: ReadonlySet<string>, ring: readonly string[]): TaskLine['state'] {
  if (task.state !== 'pending') return task.state
  if (ring.length > 0) return 'ring'
  return ready.has(task.id) ? 'ready' : 'waiting'
}
