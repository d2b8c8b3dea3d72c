import { SEARCH_CHARS } from '../core/transcript/reading/search-text'

/**
 * Texts of consecutive entries as one run of bytes: they go from thread to thread without being copied, and the index
 * takes in those of many sessions with one statement.
 */
export type SearchTexts = {
  readonly firstSeq: number
  /** UTF-8. */
  readonly bytes: Uint8Array
  /** Bytes of each text, in order; 0 when there is nothing to find. */
  readonly lengths: Uint16Array
}

/** What a UTF-16 unit takes at most in UTF-8. */
const BYTES_PER_UNIT = 3
/** Bytes of the longest text. */
export const MOST_TEXT_BYTES = SEARCH_CHARS * BYTES_PER_UNIT

const encoder = new TextEncoder()

/**
 * @param whole texts of the entries from `firstSeq` on; '' when there is nothing to find. Of one that is longer than
 * `SEARCH_CHARS`, as a session's name may be, the beginning is found.
 */
export function packTexts(firstSeq: number, whole: readonly string[]): SearchTexts {
  const texts = whole.map((text) => (text.length > SEARCH_CHARS ? text.slice(0, SEARCH_CHARS) : text))
  const joined = texts.join('')
  const lengths = new Uint16Array(texts.length)
  let bytes = encoder.encode(joined)
  if (bytes.length === joined.length) lengths.set(texts.map(({ length }) => length))
  else {
    // One by one: two halves of a pair must not become one character where two texts meet.
    const room = new Uint8Array(joined.length * BYTES_PER_UNIT)
    let at = 0
    texts.forEach((text, i) => {
      const { written } = encoder.encodeInto(text, room.subarray(at))
      lengths[i] = written
      at += written
    })
    bytes = room.slice(0, at)
  }
  return { firstSeq, bytes, lengths }
}
