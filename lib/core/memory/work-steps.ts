import { isObject, type JsonObject, stringOf } from '../transcript/json'

/** One step of a plan that an agent works through. */
export type WorkStep = {
  readonly title: string
  readonly state: 'open' | 'active' | 'done' | 'dropped'
}

/** What an agent has set out to do, and how far it is. */
export type WorkPlan = {
  /** What it is for; null where unknown. */
  readonly goal: string | null
  readonly steps: readonly WorkStep[]
}

/** Longer plans are cut here, titles and goals there (characters). */
const MOST_STEPS = 100
const MOST_TITLE = 300

/** Tools by which agents note their plans: `TodoWrite`, `todo_write`, `update_plan`, `write_todos`, `task_list` … */
const PLANNING_TOOL = /todo|plan|task_?list/i
const LIST_FIELDS = ['todos', 'plan', 'steps', 'items', 'tasks']
const TITLE_FIELDS = ['content', 'step', 'title', 'text', 'task', 'description', 'name']
const STATES: { readonly [status: string]: WorkStep['state'] } = {
  completed: 'done',
  complete: 'done',
  done: 'done',
  finished: 'done',
  in_progress: 'active',
  inprogress: 'active',
  active: 'active',
  running: 'active',
  cancelled: 'dropped',
  canceled: 'dropped',
  skipped: 'dropped',
  dropped: 'dropped',
}

/** Whether a tool is one that agents note their plans with. */
export function isPlanningTool(name: string): boolean {
  return PLANNING_TOOL.test(name)
}

/** The steps that a tool call notes, all of them anew; null when it is no such call. */
export function stepsOfCall(name: string, input: JsonObject): readonly WorkStep[] | null {
  if (!isPlanningTool(name)) return null
  const list = LIST_FIELDS.map((field) => input[field]).find(Array.isArray)
  if (list === undefined) return null
  const steps = list.flatMap((item: unknown) => stepOf(item) ?? [])
  return steps.length === list.length ? steps : null
}

/** A plan as it is kept: one line for each title, none without end, and what must not be seen left out. */
export function boundedPlan({ goal, steps }: WorkPlan, mask: (text: string) => string): WorkPlan {
  const short = (text: string) => {
    // Masked before it is cut: half of a credential is not known for one.
    const line = mask(text).replace(/\s+/g, ' ').trim()
    return line.length > MOST_TITLE ? `${line.slice(0, MOST_TITLE - 1)}…` : line
  }
  return {
    goal: goal === null || goal.trim() === '' ? null : short(goal),
    steps: steps.slice(0, MOST_STEPS).map(({ title, state }) => ({ title: short(title), state })),
  }
}

/** Whether something of a plan is still to be done. */
export function isUnderWay({ steps }: WorkPlan): boolean {
  return steps.some(({ state }) => state === 'open' || state === 'active')
}

export function isSamePlan(one: WorkPlan, other: WorkPlan): boolean {
  return (
    one.steps.length === other.steps.length &&
    one.steps.every(({ title, state }, i) => {
      const step = other.steps[i]
      return step?.title === title && step.state === state
    })
  )
}

function stepOf(item: unknown): WorkStep | null {
  if (typeof item === 'string') return item.trim() === '' ? null : { title: item, state: 'open' }
  if (!isObject(item)) return null
  const title = TITLE_FIELDS.map((field) => stringOf(item[field])).find((text) => text !== undefined)
  if (title === undefined) return null
  const status = stringOf(item.status) ?? stringOf(item.state) ?? (item.done === true ? 'done' : 'open')
  return { title, state: STATES[status.toLowerCase().replaceAll(/[\s-]/g, '_')] ?? 'open' }
}
