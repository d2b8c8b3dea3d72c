import { isResult } from '../../core/history/pairing'
import type { ContentMessage } from '../../core/history/thinking'
import type { Task } from '../../core/memory/task'
import type { MessageForm } from '../../core/summary/message-form'
import type { Tokens } from '../../core/units/units'
import { messageKey } from '../../engine/knowledge/message-key'
import type { TaskMark } from '../task-store'

export type ArchivedResults<M> = {
  readonly messages: readonly M[]
  /** Results whose text was taken out, and tokens that this freed. */
  readonly results: number
  readonly tokens: Tokens
}

/** The present state of a conversation. */
export function markOf<M extends ContentMessage>(
  form: Pick<MessageForm<M>, 'toSource'>,
  messages: readonly M[],
): TaskMark {
  const last = messages.at(-1)
  return {
    count: messages.length,
    key: last === undefined ? '' : messageKey(form, last, messages.length - 1),
  }
}

/**
 * The first message after a mark. Where the message of the mark is gone, it was summarised or cut off, and all that
 * is after the summaries came later.
 */
export function startOf<M extends ContentMessage>(
  form: Pick<MessageForm<M>, 'toSource' | 'isSummary'>,
  messages: readonly M[],
  mark: TaskMark,
): number {
  if (mark.key === '') return 0
  for (let at = Math.min(mark.count, messages.length) - 1; at >= 0; at--) {
    const message = messages[at]
    if (message !== undefined && messageKey(form, message, at) === mark.key) return at + 1
  }
  const first = messages.findIndex((message) => !form.isSummary(message))
  return first < 0 ? messages.length : first
}

/**
 * Takes the details of a completed task out of a conversation: the texts of its tool results give way to a line.
 * Calls and results stay pairs, each message keeps its side, and what is shorter than the line stays.
 */
export function archiveResults<M extends ContentMessage>(
  messages: readonly M[],
  start: number,
  task: Pick<Task, 'id' | 'title'>,
  { withText, tokensOf }: Pick<MessageForm<M>, 'withText' | 'tokensOf'>,
): ArchivedResults<M> {
  let [results, tokens] = [0, 0]
  if (withText === undefined) return { messages, results, tokens }
  const text = `[Archived: task ${task.id} is done, and its outcome is kept.]`
  const kept = messages.map((message, at) => {
    if (at < start || !isResult(message)) return message
    const short = withText(message, text)
    const freed = tokensOf(message) - tokensOf(short)
    if (freed <= 0) return message
    results += 1
    tokens += freed
    return short
  })
  return { messages: results === 0 ? messages : kept, results, tokens }
}
