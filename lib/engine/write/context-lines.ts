import { charsOverFour } from '../../core/tokens/estimate'
import { Branches } from '../../core/transcript/branches'
import { contextAt } from '../../core/transcript/context'
import { readLine } from '../../core/transcript/reading/read-line'
import type { Sender } from '../../core/transcript/send-rules'
import { splitLines } from '../read/split-lines'
import type { Decode } from './check-transcript'

/** The tree of a transcript as its bytes have it, and which lines its next call would be given. */
export type ContextLines = { readonly branches: Branches; readonly lines: readonly number[] }

/** Longer lines are not kept in memory; they are entries that cannot be read. Bytes. */
const MAX_LINE = 32 * 1024 * 1024

/** Reads a transcript from its bytes and builds the context at its end: what a client would do that loads it now. */
export async function contextLines(
  bytes: AsyncIterable<Uint8Array>,
  decode: Decode,
  sender: Sender,
): Promise<ContextLines> {
  const branches = new Branches()
  let seq = 0
  let offset = 0
  for await (const group of splitLines(bytes, MAX_LINE)) {
    for (const { line, bytes: raw, length } of group) {
      const text = decode(raw)
      if (text.trim() !== '') {
        branches.add(readLine(text, { seq, line, offset, bytes: length }, charsOverFour).fact)
        seq += 1
      }
      offset += length + 1
    }
  }
  const lines = contextAt(branches, branches.leaf, sender, 'full').map(({ fact }) => fact.line)
  return { branches, lines }
}
