import { withFullStop } from '../words/full-stop'
import { cutAtBoundary, NOT_AN_INSTRUCTION, oneLine, quoted } from './prompt-text'
import { activeTask, ancestorsOf, findTask, isSettled, type Task, type TaskTree } from './task'
import { dependenciesOf, openDependencies, readyTasks } from './task-order'

/** What a text may take, and how that is measured. */
export type TextRoom = { readonly budget: number; readonly sizeOf: (text: string) => number }

const MOST_NEXT = 5

/**
 * The section of the system prompt that says what is worked on: the active task, what it is a part of, how far the
 * whole is, and what comes next. Empty while no task is active.
 */
export function taskSection(tree: TaskTree): string {
  const task = activeTask(tree)
  if (task === null) return ''
  const above = ancestorsOf(tree, task)
  const done = tree.tasks.filter(isSettled).length
  const next = readyTasks(tree).slice(0, MOST_NEXT)
  return [
    '## Current Task',
    line(task),
    ...above.map((parent) => `Part of ${line(parent)}`),
    `Progress: ${done} of ${tree.tasks.length} tasks settled.`,
    ...(next.length === 0 ? [] : [`Ready next: ${next.map(line).join('; ')}`]),
  ].join('\n')
}

/**
 * What the tasks came to that a task depends on: every one of them, and nothing else. Where they do not fit whole,
 * each gets its share, and what is short leaves its rest to the others. Empty for a task without dependencies.
 */
export function dependencyContext(tree: TaskTree, task: Task, { budget, sizeOf }: TextRoom): string {
  const ids = dependenciesOf(tree, task)
  if (ids.length === 0) return ''
  const open = new Map(openDependencies(tree, task).map(({ id, why }) => [id, why]))
  const parts = ids.map((id) => {
    const known = findTask(tree, id)
    const heading = `### ${known === null ? id : line(known)}`
    const why = open.get(id)
    const state = why === undefined ? '' : `Not done: ${withFullStop(why)}`
    const artifacts = known?.result?.artifacts ?? []
    const left = artifacts.length === 0 ? '' : `Artifacts: ${artifacts.map(oneLine).join(', ')}`
    return {
      heading: [heading, state].filter(Boolean).join('\n'),
      body: bodyOf(known?.result?.summary, left),
    }
  })
  const whole = (bodies: readonly string[]) =>
    [
      `## Context from Dependencies\n${NOT_AN_INSTRUCTION}`,
      ...parts.map(({ heading }, i) => [heading, bodies[i]].filter(Boolean).join('\n')),
    ].join('\n\n')
  const bodies = parts.map(({ body }) => body)
  if (sizeOf(whole(bodies)) <= budget) return whole(bodies)
  return shared(bodies, whole, { budget, sizeOf })
}

/** Shares out the room, less each time, until the whole fits; without any room left the headings are alone. */
function shared(
  bodies: readonly string[],
  whole: (bodies: readonly string[]) => string,
  { budget, sizeOf }: TextRoom,
): string {
  const bare = sizeOf(whole(bodies.map(() => '')))
  for (let room = budget - bare; room > 0; room = Math.floor(room * 0.9)) {
    let left = room
    const cut = new Map<number, string>()
    // The short ones first: what they leave goes to the long ones.
    const order = bodies.map((body, i) => ({ i, size: sizeOf(body) })).toSorted((a, b) => a.size - b.size)
    for (const [place, { i, size }] of order.entries()) {
      const share = Math.floor(left / (order.length - place))
      const body = bodies[i] ?? ''
      const kept = size <= share ? body : cutAtBoundary(body, (text) => sizeOf(text) <= share)
      cut.set(i, kept)
      left -= sizeOf(kept)
    }
    const text = whole(bodies.map((_, i) => cut.get(i) ?? ''))
    if (sizeOf(text) <= budget) return text
  }
  return cutAtBoundary(whole(bodies.map(() => '')), (text) => sizeOf(text) <= budget)
}

function bodyOf(summary: string | undefined, artifacts: string): string {
  return quoted([summary ?? '', artifacts].filter(Boolean).join('\n'))
}

function line({ id, title }: Task): string {
  return `${id}: ${oneLine(title).replaceAll('<', '&lt;')}`
}
