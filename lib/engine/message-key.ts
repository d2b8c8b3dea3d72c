import type { HistoryMessage } from '../core/history/message'
import { fingerprint } from './fingerprint'
import type { MessageForm } from './live-compaction'

/** Tells a message from another one by what it says, also when it was loaded anew. */
export function messageKey<M extends HistoryMessage>(
  { toSource }: Pick<MessageForm<M>, 'toSource'>,
  message: M,
  index: number,
): string {
  const calls = message.calls?.map(({ id }) => id).join(' ') ?? ''
  const text = toSource(message, index)?.text ?? ''
  return fingerprint(`${message.role ?? ''}\n${calls}\n${message.resultFor ?? ''}\n${text}`)
}

/**
 * The messages that were added to a conversation since it was looked at; null when it is another one, or shorter. Agents
 * that make their messages anew each time are understood as well.
 */
export function addedSince<M extends HistoryMessage>(
  form: Pick<MessageForm<M>, 'toSource'>,
  before: readonly M[],
  now: readonly M[],
): readonly M[] | null {
  if (now.length < before.length) return null
  const same = before.every((message, index) => {
    const other = now[index]
    if (other === undefined) return false
    return other === message || messageKey(form, other, index) === messageKey(form, message, index)
  })
  return same ? now.slice(before.length) : null
}
