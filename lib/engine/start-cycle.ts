import type { HistoryMessage } from '../core/history/message'
import { CHECKPOINT_START } from '../core/memory/checkpoint'
import { afterCompaction } from '../core/memory/flush'
import type { AgentState } from './agent-memory'
import type { MessageForm } from './live-compaction'
import { messageKey } from './message-key'

/**
 * What is remembered after a compaction: flush and checkpoints are due anew, turns are counted anew, and it is known
 * where the conversation stood (D28).
 * @param messages the conversation as the compaction left it
 */
export function startCycle<M extends HistoryMessage>(
  state: AgentState,
  form: Pick<MessageForm<M>, 'toSource'>,
  messages: readonly M[],
): AgentState {
  return {
    ...state,
    flush: afterCompaction(),
    checkpoint: CHECKPOINT_START,
    turns: 0,
    compactions: state.compactions + 1,
    waited: false,
    rolling: null,
    compacted: placeOf(form, messages),
  }
}

/** Where a conversation ends; null for an empty one. */
export function placeOf<M extends HistoryMessage>(
  form: Pick<MessageForm<M>, 'toSource'>,
  messages: readonly M[],
): AgentState['compacted'] {
  const last = messages.at(-1)
  return last === undefined
    ? null
    : { count: messages.length, key: messageKey(form, last, messages.length - 1) }
}
