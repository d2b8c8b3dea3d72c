import type { Milliseconds } from '../units/units'
import { isSamePlan, isUnderWay, type WorkPlan, type WorkStep } from './work-steps'

/** Steps are noted at most so often. */
export const STEP_CHECKPOINT_MS = 60_000

/** How far a plan was at one moment. */
export type StepCheckpoint = {
  readonly session: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly plan: WorkPlan
  /** Nothing is left to resume: all steps are done, or the answer was something else. */
  readonly closed: boolean
}

/**
 * Whether a plan is to be noted now: when it is another one than was noted last, and that was a minute ago. A plan
 * that has come to its end is noted at once, so that no restart offers what is done.
 */
export function isStepCheckpointDue(plan: WorkPlan, last: StepCheckpoint | null, now: Milliseconds): boolean {
  if (last === null) return isUnderWay(plan)
  if (isSamePlan(plan, last.plan)) return false
  if (!isUnderWay(plan)) return !last.closed
  const since = now - last.at
  // A clock that was set back must not keep everything from being noted.
  return since < 0 || since >= STEP_CHECKPOINT_MS
}

/** What a restarted agent may go on with. */
export type ResumeOffer = {
  /** When it was noted last; milliseconds since the epoch. */
  readonly at: number
  readonly goal: string | null
  /** All steps of the plan in their order, done ones included. */
  readonly steps: readonly WorkStep[]
  readonly done: number
  /** Title of the step that was being done, else of the next one. */
  readonly next: string
  /** The same as a message for the agent. */
  readonly text: string
}

/** The offer to go on where a plan was left; null when nothing was. */
export function resumeOffer(last: StepCheckpoint | null): ResumeOffer | null {
  if (last === null || last.closed) return null
  const { goal, steps } = last.plan
  const next = steps.find(({ state }) => state === 'active') ?? steps.find(({ state }) => state === 'open')
  if (next === undefined) return null
  const done = steps.filter(({ state }) => state === 'done').length
  const offer = { at: last.at, goal, steps, done, next: next.title }
  return { ...offer, text: resumeText(offer) }
}

const MARKS: { readonly [S in WorkStep['state']]: string } = {
  done: '[x]',
  active: '[>]',
  open: '[ ]',
  dropped: '[-]',
}

function resumeText({ at, goal, steps, done, next }: Omit<ResumeOffer, 'text'>): string {
  const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  return [
    `This session was stopped while a plan was under way. So far it was at ${when} UTC, ${done} of ${steps.length} steps done:`,
    ...(goal === null ? [] : [`Goal: ${goal}`]),
    steps.map(({ title, state }) => `- ${MARKS[state]} ${title}`).join('\n'),
    `Go on with: ${next}. Look first what of it is done already.`,
  ].join('\n\n')
}
