import { type Branches, ROOT } from '../branches'
import { isAnswer } from '../context'
import type { EntryFact } from '../entry'

/** The last message on the path to `leaf` that was part of the conversation. */
export function lastMessageAt(branches: Branches, leaf: number): EntryFact | undefined {
  let at = leaf
  for (let steps = 0; at !== ROOT && steps < MOST_STEPS; steps++) {
    const fact = branches.facts[at]
    if (fact?.type === 'message' && (fact.role !== 'assistant' || isAnswer(fact))) return fact
    at = branches.parentOf(at)
  }
  return undefined
}

const MOST_STEPS = 1_000

/** Whether the agent was in the middle of something: it had called a tool, or its results had just come. */
export function isMidTask(last: EntryFact | undefined): boolean {
  return last !== undefined && (last.role === 'toolResult' || (last.calls?.length ?? 0) > 0)
}
