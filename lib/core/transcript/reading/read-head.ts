import type { EntryFact } from '../entry'
import type { LinePlace } from './empty-fact'

/** The first bytes of a line, and the last ones, that `readHead` needs. */
export const HEAD_BYTES = 320
export const END_BYTES = 96

/** Bytes that make an assistant's message one to be read whole: no model may have been asked for it. */
export const NOT_A_CALL = '"provider":"openclaw"'

/**
 * Bytes that make a line one to be read whole when they are behind its beginning: an entry was written after the
 * first half of another. Within a text they would be escaped.
 */
export const GLUED = '{"type":"message","id":"'

// As pi and OpenClaw write messages; anything else is read whole.
const MESSAGE =
  /^\{"type":"message","id":"([^"\\]+)","parentId":(?:"([^"\\]+)"|null),"timestamp":"[^"\\]*","message":\{"role":"(user|assistant|toolResult)",/

/**
 * An entry's place in the tree from the first bytes of its line, without parsing the rest: by far most of a transcript
 * is what tools returned. Null when the line must be read whole. Whether the rest of the line is sound is not examined
 * (its reader sees to `GLUED` and to zero bytes), so this is for parts of a transcript that are counted only.
 *
 * @param head and @param end the first `HEAD_BYTES` and the last `END_BYTES` of the line, one character per byte
 */
export function readLineHead(head: string, end: string, place: LinePlace): EntryFact | null {
  const match = MESSAGE.exec(head)
  // What follows the message would say that the entry is beside its branch.
  if (match === null || !end.endsWith('}}') || end.includes('"appendMode"')) return null
  return {
    seq: place.seq,
    line: place.line,
    offset: place.offset,
    bytes: place.bytes,
    type: 'message',
    id: match[1] ?? null,
    parentId: match[2] ?? null,
    at: null,
    role: match[3],
  }
}
