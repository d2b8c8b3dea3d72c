import { SEARCH_CHARS } from '../core/transcript/search-text'

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
const MOST_BYTES = SEARCH_CHARS * BYTES_PER_UNIT

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

/**
 * One statement for all: a statement of several rows begins with writing out what the index has in memory, so one for
 * each session would leave it in as many parts. A place, a number in the list ?3, says which session a text belongs to
 * and where it stands in the bytes ?2: `(session × STARTS + start) × LENGTHS + length`. For each session ?1 has, in
 * sixteen digits, what must be added to the ordinal of a text in the list to get its row id.
 */
export const INSERT_TEXTS = `
INSERT INTO "EntryText" (rowid, text)
SELECT key + CAST(substr(?1, 1 + (value >> 40) * 16, 16) AS INTEGER),
       CAST(substr(?2, 1 + ((value >> 13) & 134217727), value & 8191) AS TEXT)
FROM json_each(?3) WHERE value & 8191 > 0
`
const DIGITS = 16
const LENGTHS = 2 ** 13
const STARTS = 2 ** 27
const MOST_SESSIONS = 2 ** 12
if (LENGTHS <= MOST_BYTES) throw new Error('The longest text has no room in a place')

/** Arguments of `INSERT_TEXTS`. */
export type TextBatch = readonly [bases: Uint8Array, bytes: Uint8Array, placesJson: string]

/** @param parts each with the row id of its first text */
export function batchTexts(
  parts: readonly { readonly rowid: number; readonly texts: SearchTexts }[],
): TextBatch[] {
  const batches: TextBatch[] = []
  let batch: (typeof parts)[number][] = []
  let size = 0
  for (const part of parts) {
    const { length } = part.texts.bytes
    if (batch.length > 0 && (batch.length === MOST_SESSIONS || size + length >= STARTS)) {
      batches.push(batchOf(batch))
      batch = []
      size = 0
    }
    batch.push(part)
    size += length
  }
  if (batch.length > 0) batches.push(batchOf(batch))
  return batches
}

function batchOf(parts: readonly { readonly rowid: number; readonly texts: SearchTexts }[]): TextBatch {
  const places: number[] = []
  let bases = ''
  let start = 0
  parts.forEach(({ rowid, texts }, session) => {
    bases += String(rowid - places.length).padStart(DIGITS, '0')
    for (const length of texts.lengths) {
      places.push((session * STARTS + start) * LENGTHS + length)
      start += length
    }
  })
  const bytes = Buffer.concat(parts.map(({ texts }) => texts.bytes))
  return [encoder.encode(bases), bytes, JSON.stringify(places)]
}
