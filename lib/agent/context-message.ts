import { chunkOfNote, contentOfNote } from '../core/cold/place-back'
import type { HistoryMessage } from '../core/history/message'
import type { ChunkMessage } from '../core/pruning/context-chunks'
import type { MessageForm } from '../core/summary/message-form'
import { keyOfText } from '../engine/knowledge/message-key'

/**
 * A live agent's message as chunks are made of it. What comes back from cold storage is no request of the user, and is
 * known by what it had said. Whatever a text does not hold (an image, a message that no summary may see) cannot be kept
 * by cold storage, and so counts as important: nothing is dropped that could not be brought back.
 */
export function contextMessage<M extends HistoryMessage>(
  form: MessageForm<M>,
  message: M,
  index: number,
): ChunkMessage {
  const source = form.toSource(message, index)
  const text = source?.text ?? ''
  const note = source === null ? null : contentOfNote(text)
  const calls = source?.calls ?? []
  const resultFor = source?.resultFor ?? message.resultFor
  const read: ReadMessage = {
    // A chunk that came back is still the same one.
    entryId: (note === null ? null : chunkOfNote(text)) || (form.idOf?.(message) ?? keyOfText(message, text)),
    role: source === null || note !== null ? 'other' : source.role,
    text: note ?? text,
    // Agents may name their calls without showing what is in them.
    calls: calls.length > 0 ? calls : (message.calls ?? []).map(({ id }) => ({ id, name: '', input: {} })),
    tokens: form.tokensOf(message),
    at: form.at?.(message) ?? null,
    important:
      source === null ||
      source.images > 0 ||
      (source.others ?? 0) > 0 ||
      form.isImportant?.(message) === true,
  }
  if (resultFor !== undefined) read.resultFor = resultFor
  if (source?.isError === true) read.isError = true
  return read
}

/** While it is made. */
type ReadMessage = { -readonly [F in keyof ChunkMessage]: ChunkMessage[F] }

/** All messages of a context; those that say the very same are distinguished by their place among each other. */
export function contextMessages<M extends HistoryMessage>(
  form: MessageForm<M>,
  messages: readonly M[],
): ChunkMessage[] {
  const times = new Map<string, number>()
  return messages.map((message, index) => {
    const read = contextMessage(form, message, index)
    const time = (times.get(read.entryId) ?? 0) + 1
    times.set(read.entryId, time)
    return time === 1 ? read : { ...read, entryId: `${read.entryId}.${time}` }
  })
}

/**
 * What the newest messages ask for: all that the user says now, else what was said last. '' when there was no question.
 */
export function promptOf<M extends HistoryMessage>(
  form: MessageForm<M>,
  messages: readonly M[],
  incoming: readonly M[],
): string {
  const asked = (list: readonly M[]) =>
    list.flatMap((message, index) => {
      const { role, text } = contextMessage(form, message, index)
      return role === 'user' && !form.isSummary(message) && text.trim() !== '' ? [text] : []
    })
  const now = asked(incoming)
  if (now.length > 0) return now.join('\n')
  for (let at = messages.length - 1; at >= 0; at--) {
    const [text] = asked(messages.slice(at, at + 1))
    if (text !== undefined) return text
  }
  return ''
}
