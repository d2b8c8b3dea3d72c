import type { HistoryMessage } from '../../core/history/message'
import type { MessageForm } from '../../core/summary/message-form'
import { fingerprint } from '../read/fingerprint'

/** Tells a message from another one by what it says, also when it was loaded anew. */
export function messageKey<M extends HistoryMessage>(
  { toSource }: Pick<MessageForm<M>, 'toSource'>,
  message: M,
  index: number,
): string {
  return keyOfText(message, toSource(message, index)?.text ?? '')
}

/** The same, for a message whose text was read already. */
export function keyOfText({ role, calls, resultFor }: HistoryMessage, text: string): string {
  const ids = calls?.map(({ id }) => id).join(' ') ?? ''
  // Put together it would be copied once more.
  return fingerprint(`${role ?? ''}\n${ids}\n${resultFor ?? ''}\n`, text)
}

/**
 * The messages that were added to a conversation since it was examined; null when it is another one, or shorter. Agents
 * that make their messages anew each time are understood as well.
 */
export function addedSince<M extends HistoryMessage>(
  form: Pick<MessageForm<M>, 'toSource'>,
  before: readonly M[],
  now: readonly M[],
): readonly M[] | null {
  if (now === before) return []
  if (now.length < before.length) return null
  const same = before.every((message, index) => {
    const other = now[index]
    if (other === undefined) return false
    return other === message || messageKey(form, other, index) === messageKey(form, message, index)
  })
  return same ? now.slice(before.length) : null
}
