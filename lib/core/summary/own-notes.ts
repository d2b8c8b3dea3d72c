import { contentOfNote, NOTE_START } from '../cold/place-back'
import type { SourceMessage } from './source-message'

/**
 * A chunk that came back from cold storage is kept as a note in the user's name. It is background, not what the user
 * asks for: it is read as what it holds, without the words around it that are ours.
 */
export function withoutOwnNote(message: SourceMessage): SourceMessage {
  if (message.role !== 'user' || !message.text.startsWith(NOTE_START)) return message
  const content = contentOfNote(message.text)
  return content === null ? message : { ...message, role: 'other', text: content }
}
