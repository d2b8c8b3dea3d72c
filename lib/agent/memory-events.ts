import { softFlushLine } from '../core/budget/load-lines'
import type { MemoryEvent } from '../core/memory/memory-event'
import type { Policy } from '../core/policy/policy'
import type { Tokens } from '../core/units/units'
import { reasonOf } from '../core/words/reason-of'
import type { AfterResponse } from './after-response'
import type { BeforeResponse } from './before-response'

/** Where it is noted what a memory did. */
export interface MemoryEvents {
  note(event: MemoryEvent): Promise<void>
}

type Noted = { readonly events?: MemoryEvents; readonly session: string; readonly at: number }

/** Notes that the agent was asked to save its memory. Answers what went wrong with the log, or null. */
export function noteFlush(
  { events, session, at }: Noted,
  { steps, flush, before }: BeforeResponse,
  { policy, window }: { readonly policy: Policy; readonly window: Tokens },
): Promise<string | null> {
  if (!steps.includes('flush')) return Promise.resolve(null)
  const ahead = softFlushLine(policy, window)
  const lines = [...policy.lines.flush.at, ...(ahead === null ? [] : [ahead.tokens / window])]
  const reached = lines.filter((line) => before.decided / window >= line - SLACK)
  const line = flush?.at ?? Math.max(...reached)
  return noteAll(events, [{ at, session, kind: 'flush', line, delivery: flush?.delivery ?? 'own turn' }])
}

/** Keeps .75 × 200,000 from missing its line by a binary fraction. */
const SLACK = 1e-9

/** Notes that the agent saved its memory, once for each request, and checkpoints. */
export function noteTurn(
  { events, session, at }: Noted,
  { memorySaved, checkpoint }: AfterResponse,
  wasSaved: boolean,
): Promise<string | null> {
  const saved: MemoryEvent[] = memorySaved && !wasSaved ? [{ at, session, kind: 'saved' }] : []
  const written: MemoryEvent[] =
    checkpoint === null
      ? []
      : [
          {
            at,
            session,
            kind: 'checkpoint',
            id: checkpoint.id,
            covered: checkpoint.covered,
            tokens: checkpoint.tokens,
          },
        ]
  return noteAll(events, [...saved, ...written])
}

async function noteAll(
  events: MemoryEvents | undefined,
  all: readonly MemoryEvent[],
): Promise<string | null> {
  try {
    for (const event of all) await events?.note(event)
    return null
  } catch (error) {
    return `The log of the memory cannot be written: ${reasonOf(error)}`
  }
}
