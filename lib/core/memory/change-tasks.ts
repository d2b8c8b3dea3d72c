import { ancestorsOf, childrenOf, findTask, isSettled, type Task, type TaskTree } from './task'
import { openDependencies, taskCycles } from './task-order'

/** A task as it is asked for. */
export type NewTask = {
  readonly id: string
  readonly title: string
  readonly parent?: string | null
  readonly priority?: number
  readonly dependencies?: readonly string[]
}

export type TaskChange =
  | { readonly kind: 'add'; readonly task: NewTask }
  | { readonly kind: 'start'; readonly id: string }
  /** Without artifacts the task left nothing behind. */
  | {
      readonly kind: 'complete'
      readonly id: string
      readonly summary: string
      readonly artifacts?: readonly string[]
    }
  | { readonly kind: 'fail' | 'cancel'; readonly id: string; readonly summary?: string }
  /** Back to pending; what it came to is forgotten. */
  | { readonly kind: 'reopen'; readonly id: string }
  | {
      readonly kind: 'edit'
      readonly id: string
      readonly title?: string
      readonly priority?: number
      readonly dependencies?: readonly string[]
    }

export type ChangedTasks =
  | { readonly ok: true; readonly tree: TaskTree }
  /** Nothing was changed; the problem says what is wrong and what to do. */
  | { readonly ok: false; readonly problem: string }

const [MAX_TITLE, MAX_SUMMARY, MAX_ID] = [300, 20_000, 100]
/** More than anybody plans by hand; each look at the tree goes through all of them. */
const MOST_TASKS = 2_000

/** Changes a task tree, or says why not. @param at milliseconds since the epoch */
export function changeTasks(tree: TaskTree, change: TaskChange, at: number): ChangedTasks {
  if (change.kind === 'add') return addTask(tree, change.task, at)
  const task = findTask(tree, change.id)
  if (task === null) return refuse(`There is no task ${quoted(change.id)}.`)
  switch (change.kind) {
    case 'start':
      return start(tree, task, at)
    case 'complete':
      return complete(tree, task, change, at)
    case 'fail':
    case 'cancel': {
      if (task.state === 'done')
        return refuse(`${named(task)} is done; reopen it before it is given another end.`)
      const summary = (change.summary ?? '').trim().slice(0, MAX_SUMMARY)
      const result = summary === '' ? null : { summary, artifacts: [], at }
      const state = change.kind === 'fail' ? 'failed' : 'cancelled'
      return changed(tree, { ...task, state, result, updatedAt: at })
    }
    case 'reopen':
      return changed(tree, { ...task, state: 'pending', result: null, updatedAt: at })
    case 'edit':
      return edit(tree, task, change, at)
  }
}

function addTask(tree: TaskTree, wanted: NewTask, at: number): ChangedTasks {
  const { id, parent = null, priority = 0, dependencies = [] } = wanted
  const title = folded(wanted.title)
  if (!/^[\w.:/-]+$/.test(id) || id.length > MAX_ID)
    return refuse(
      `${quoted(id)} cannot name a task: letters, digits and . : / _ - only, at most ${MAX_ID} of them.`,
    )
  if (findTask(tree, id) !== null) return refuse(`There is a task ${quoted(id)} already.`)
  if (title === '') return refuse(`Task ${quoted(id)} needs a title.`)
  if (tree.tasks.length >= MOST_TASKS) return refuse(`A session keeps at most ${MOST_TASKS} tasks.`)
  if (parent !== null && findTask(tree, parent) === null)
    return refuse(`There is no task ${quoted(parent)} that ${quoted(id)} could be a part of.`)
  if (!Number.isFinite(priority)) return refuse(`The priority of ${quoted(id)} is not a number.`)
  const task: Task = {
    id,
    title: title.slice(0, MAX_TITLE),
    parent,
    state: 'pending',
    priority,
    dependencies: [...new Set(dependencies)],
    result: null,
    createdAt: at,
    updatedAt: at,
  }
  return { ok: true, tree: { tasks: [...tree.tasks, task] } }
}

function start(tree: TaskTree, task: Task, at: number): ChangedTasks {
  if (task.state === 'active') return { ok: true, tree }
  if (task.state !== 'pending') return refuse(`${named(task)} is ${task.state}; reopen it first.`)
  const ring = taskCycles(tree).find((ids) => ids.includes(task.id))
  if (ring !== undefined)
    return refuse(
      `${named(task)} can never be started: ${[...ring, ring[0]].join(' → ')} wait for each other. Take one dependency out of the ring.`,
    )
  const open = openDependencies(tree, task)
  if (open.length > 0)
    return refuse(
      `${named(task)} waits for ${open.map(({ id, why }) => `${quoted(id)} (${why})`).join(', ')}.`,
    )
  return changed(tree, { ...task, state: 'active', updatedAt: at })
}

function complete(
  tree: TaskTree,
  task: Task,
  change: Extract<TaskChange, { kind: 'complete' }>,
  at: number,
): ChangedTasks {
  if (task.state !== 'active') return refuse(`${named(task)} is ${task.state}; start it first.`)
  const left = childrenOf(tree, task.id).filter((part) => !isSettled(part))
  if (left.length > 0)
    return refuse(`${named(task)} has parts that are not done: ${left.map(({ id }) => id).join(', ')}.`)
  const summary = change.summary.trim().slice(0, MAX_SUMMARY)
  if (summary === '')
    return refuse(`Say what ${named(task)} came to: without a summary nothing would be left of it.`)
  const artifacts = [...new Set((change.artifacts ?? []).map(folded).filter(Boolean))]
  return changed(tree, { ...task, state: 'done', result: { summary, artifacts, at }, updatedAt: at })
}

function edit(
  tree: TaskTree,
  task: Task,
  change: Extract<TaskChange, { kind: 'edit' }>,
  at: number,
): ChangedTasks {
  const title = change.title === undefined ? task.title : folded(change.title).slice(0, MAX_TITLE)
  if (title === '') return refuse(`${named(task)} needs a title.`)
  const { priority = task.priority, dependencies = task.dependencies } = change
  if (!Number.isFinite(priority)) return refuse(`The priority of ${named(task)} is not a number.`)
  return changed(tree, {
    ...task,
    title,
    priority,
    dependencies: [...new Set(dependencies)],
    updatedAt: at,
  })
}

function changed(tree: TaskTree, task: Task): ChangedTasks {
  // Work on a part is work on the whole: a parent that was pending is under way from then on.
  const above = new Set(task.state === 'active' ? ancestorsOf(tree, task).map(({ id }) => id) : [])
  return {
    ok: true,
    tree: {
      tasks: tree.tasks.map((known) => {
        if (known.id === task.id) return task
        // Its own time stays behind that of the part, so that the part is the one that is worked on.
        return above.has(known.id) && known.state === 'pending' ? { ...known, state: 'active' } : known
      }),
    },
  }
}

function refuse(problem: string): ChangedTasks {
  return { ok: false, problem }
}

function named({ id, title }: Task): string {
  return `${quoted(id)} (${title})`
}

function quoted(id: string): string {
  return JSON.stringify(id)
}

/** One line, so that no title can begin a section where it is shown to a model. */
function folded(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
