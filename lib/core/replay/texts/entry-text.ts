import type { SourceCall, SourceMessage } from '../../summary/source-message'
import { inputText } from './input-text'

/** A part of the text of an entry: what is said, or a call. `from` and `to` in characters; `args`: where they begin. */
export type EntryPart = {
  readonly from: number
  readonly to: number
  readonly call: { readonly of: SourceCall; readonly args: number } | null
}

/**
 * The text of an entry as chunks are cut from it (`ReplayChunks.from`, `.to`): what it says, then each call, its name on
 * a line before its arguments.
 */
export function entryText(message: Pick<SourceMessage, 'text' | 'calls'>): {
  readonly text: string
  readonly parts: readonly EntryPart[]
} {
  let text = message.text
  const parts: EntryPart[] = text === '' ? [] : [{ from: 0, to: text.length, call: null }]
  for (const of of message.calls) {
    if (text !== '') text += '\n'
    const from = text.length
    text += `${of.name}\n`
    const args = text.length
    text += inputText(of.input)
    parts.push({ from, to: text.length, call: { of, args } })
  }
  return { text, parts }
}
