import type { FindingsOf } from '../builders/findings-in'
import type { CallStep, Chance, FilledStep } from './talk'

/** A session that is made so that a detector must find something in it, or must not. */
export type LabelledSession = { readonly steps: readonly FilledStep[]; readonly of?: FindingsOf }

/** How sessions of one kind of finding are made of a real or a made-up one. `alike` looks like it and is fine. */
export type LabelRule = {
  readonly kind: string
  readonly planted: (base: readonly FilledStep[], chance: Chance) => LabelledSession
  readonly alike: (base: readonly FilledStep[], chance: Chance) => LabelledSession
}

/** The calls of a session. */
export function callSteps(steps: readonly FilledStep[]): CallStep[] {
  return steps.flatMap((step) => (step.is === 'call' ? [step] : []))
}

/** The same session with other calls; the number counts calls from 0. */
export function withCalls(
  steps: readonly FilledStep[],
  change: (call: CallStep, i: number, before: CallStep | null) => readonly FilledStep[],
): FilledStep[] {
  let count = 0
  let before: CallStep | null = null
  return steps.flatMap((step) => {
    if (step.is !== 'call') return [step]
    const changed = change(step, count++, before)
    before = changed.findLast((one) => one.is === 'call') ?? before
    return changed
  })
}

/** The session with prompts that grow by what came in, all found in the cache, a few seconds apart. */
export function warm(steps: readonly FilledStep[], from = 20_000): FilledStep[] {
  let total = from
  let read = 0
  return steps
    .filter(({ is }) => is !== 'compaction' && is !== 'reset')
    .map((step): FilledStep => {
      if (step.is === 'user' || step.is === 'result') total += step.units
      if (step.is !== 'call') return { ...step, gapMs: 10_000 } as FilledStep
      const { error: _, ...call } = step
      const sent = { ...call, total: Math.round(total), read: Math.round(read), gapMs: 10_000 }
      read = total
      total += Math.min(400, call.output)
      return { ...sent, write: sent.total - sent.read }
    })
}

/** The session as often as it takes to have so many calls. */
export function atLeast(steps: readonly FilledStep[], calls: number): FilledStep[] {
  const long: FilledStep[] = []
  const each = Math.max(1, callSteps(steps).length)
  for (let have = 0; have < calls; have += each) long.push(...steps)
  return long
}

/** Steps until so many calls were made. */
export function firstCalls(steps: readonly FilledStep[], calls: number): FilledStep[] {
  let count = 0
  return steps.filter((step) => {
    const taken = count < calls
    if (step.is === 'call') count += 1
    return taken
  })
}

/** A turn: a question, and its answer by one call. */
export function turn(total: number, over: Partial<CallStep> = {}, asked = 20): FilledStep[] {
  return [
    { is: 'user', units: asked },
    { is: 'call', total, output: 40, ...over },
  ]
}

export const GOOD_SUMMARY =
  '## Goal\nThe harbour is to be looked after, and the berths counted anew each morning before the boats come in.\n## Progress\nBerths one to nine are counted; the third has a broken cleat, and the crew knows. The log is in log/harbour.md.\n## Next\nCount the others, mend the cleat, and write down who came in.'
