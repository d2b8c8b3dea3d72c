import { entryText } from '../../core/replay/texts/entry-text'
import { withoutOwnNote } from '../../core/summary/own-notes'
import { sourceMessage } from '../../core/summary/source-message'
import { isObject } from '../../core/transcript/json'

/** The text of a raw entry as chunks are cut from it; null: nothing of it reaches a model, or it cannot be read. */
export function replayText(raw: string): string | null {
  let entry: unknown
  try {
    entry = JSON.parse(raw)
  } catch {
    return null
  }
  const message = isObject(entry) ? sourceMessage(entry, { entryId: '', line: 0 }) : null
  return message === null ? null : entryText(withoutOwnNote(message)).text
}
