import type { Anchor, FrameSetup } from '../../tokens/build-frame'
import { addToSums, EMPTY_SUMS, sumsWithoutThinking } from '../../tokens/context-sums'
import { resentOutput } from '../../tokens/usage'
import { contextStep, entersContext } from '../context'
import type { EntryFact } from '../entry'
import type { NodeState, SentState } from '../replay-state'
import { dropsReasoning, SEND_START } from '../send-rules'

/** A context before its first entry. */
export const EMPTY: NodeState = { sums: EMPTY_SUMS, anchor: null, overhead: null, send: SEND_START }

/** Whether an entry has no place in the tree. */
export function isOutside({ type, id }: EntryFact): boolean {
  return type === 'session' || (type === 'unreadable' && id === null)
}

/** What is kept of an entry that its file holds once more: its place and how it begins, and no part in anything. */
export function repeatedEntry({ seq, line, offset, bytes, piece, at, preview }: EntryFact): EntryFact {
  return {
    ...{ seq, line, offset, bytes, at, id: null, parentId: null, side: true },
    ...{ type: 'custom', customType: 'repeated' },
    ...(piece !== undefined && { piece }),
    ...(preview !== undefined && { preview }),
  }
}

/** The state with one more entry of the context. */
export function enter(
  state: SentState,
  fact: EntryFact,
  runtime: FrameSetup['runtime'],
  afterReset: boolean,
): SentState {
  const boundarySummary = fact.type === 'compaction'
  if (!boundarySummary && !entersContext(fact)) return state
  const step = contextStep(state.send, fact, runtime, afterReset)
  const counts = step.verdict !== null && (step.verdict.sent || step.verdict.why === 'merged')
  if (!counts && step.state === state.send) return state
  const sums = fact.role === 'user' && dropsReasoning(runtime) ? sumsWithoutThinking(state.sums) : state.sums
  return {
    sums: counts ? addToSums(sums, fact) : sums,
    anchor: state.anchor,
    overhead: state.overhead,
    send: step.state,
  }
}

/** An anchor of another model says nothing about this one's tokens: its tokenizer and its fixed part are others. */
export function forModel(state: SentState, model: string | null): SentState {
  return state.anchor === null || state.anchor.model === model ? state : { ...state, anchor: null }
}

export function anchorAt(fact: EntryFact, total: number, before: SentState): Anchor {
  return {
    seq: fact.seq,
    provider: fact.provider ?? null,
    model: fact.model ?? null,
    total,
    output: resentOutput(fact),
    sums: before.sums,
    answer: fact,
  }
}
