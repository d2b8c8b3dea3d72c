import { ancestorsOf, childrenOf, findTask, isSettled, type Task, type TaskTree } from './task'

/** What keeps a task from being started. */
export type OpenDependency = {
  readonly id: string
  /** `missing`: no such task; `failed` and `cancelled` ones never give the result that is waited for. */
  readonly why: 'pending' | 'active' | 'failed' | 'cancelled' | 'missing'
}

/** The dependencies of a task and of the tasks that it is a part of, each once, in their order. */
export function dependenciesOf(tree: TaskTree, task: Task): readonly string[] {
  return [...new Set([task, ...ancestorsOf(tree, task)].flatMap(({ dependencies }) => dependencies))]
}

/** Dependencies that are not done. */
export function openDependencies(tree: TaskTree, task: Task): OpenDependency[] {
  return dependenciesOf(tree, task).flatMap((id): OpenDependency[] => {
    const state = findTask(tree, id)?.state ?? 'missing'
    return state === 'done' ? [] : [{ id, why: state }]
  })
}

/**
 * Tasks that can be started now, the most urgent first: pending, nothing they need is open, and no part of them is
 * left to do. Among equals the one that was added first.
 */
export function readyTasks(tree: TaskTree): Task[] {
  return tree.tasks
    .filter((task) => task.state === 'pending' && openDependencies(tree, task).length === 0)
    .filter((task) => childrenOf(tree, task.id).every(isSettled))
    .toSorted((a, b) => b.priority - a.priority)
}

/**
 * Rings of tasks that wait for each other, so that none of them can ever be started. Each as the ids in the order of
 * waiting; a task waits for what it and the tasks above it depend on, and for its parts. Done tasks wait for nothing.
 */
export function taskCycles(tree: TaskTree): string[][] {
  const waits = new Map(tree.tasks.map((task) => [task.id, waitsFor(tree, task)]))
  return components(waits).flatMap((ids) => {
    const [first = ''] = ids
    const isRing = ids.length > 1 || waits.get(first)?.includes(first) === true
    return isRing ? [ringThrough(first, new Set(ids), waits)] : []
  })
}

function waitsFor(tree: TaskTree, task: Task): readonly string[] {
  if (task.state === 'done') return []
  const parts = childrenOf(tree, task.id).filter((part) => !isSettled(part))
  return [...dependenciesOf(tree, task), ...parts.map(({ id }) => id)].filter(
    (id) => findTask(tree, id) !== null && findTask(tree, id)?.state !== 'done',
  )
}

/** Strongly connected parts (Tarjan), without recursion: a chain of tasks may be long. */
function components(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = []
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const lower = (id: string, to: number) => low.set(id, Math.min(low.get(id) ?? to, to))
  for (const start of edges.keys()) {
    if (order.has(start)) continue
    const walk: { id: string; next: number }[] = [{ id: start, next: 0 }]
    for (let at = walk.at(-1); at !== undefined; at = walk.at(-1)) {
      const { id } = at
      if (!order.has(id)) {
        order.set(id, order.size)
        lower(id, order.get(id) ?? 0)
        stack.push(id)
        onStack.add(id)
      }
      const to = edges.get(id)?.[at.next]
      at.next += 1
      if (to !== undefined) {
        if (!order.has(to)) walk.push({ id: to, next: 0 })
        else if (onStack.has(to)) lower(id, order.get(to) ?? 0)
        continue
      }
      walk.pop()
      const above = walk.at(-1)
      if (above !== undefined) lower(above.id, low.get(id) ?? 0)
      if (low.get(id) !== order.get(id)) continue
      const part = stack.splice(stack.indexOf(id))
      for (const member of part) onStack.delete(member)
      found.push(part)
    }
  }
  return found
}

/** The shortest way round from a task back to itself, inside its component. */
function ringThrough(
  start: string,
  inside: ReadonlySet<string>,
  edges: ReadonlyMap<string, readonly string[]>,
): string[] {
  const from = new Map<string, string>()
  const queue = [start]
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    for (const to of edges.get(id) ?? []) {
      if (to === start) return backTo(start, id, from)
      if (!inside.has(to) || from.has(to)) continue
      from.set(to, id)
      queue.push(to)
    }
  }
  return [...inside]
}

function backTo(start: string, end: string, from: ReadonlyMap<string, string>): string[] {
  const ring = [end]
  for (let id = end; id !== start; ) {
    id = from.get(id) ?? start
    ring.unshift(id)
  }
  return ring
}
