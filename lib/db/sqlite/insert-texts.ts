import { MOST_TEXT_BYTES, type SearchTexts } from '../search-texts'

/**
 * One statement for all: a statement of several rows begins with writing out what the index has in memory, so one for
 * each session would leave it in as many parts. A place, a number in the list ?3, says which session a text belongs to
 * and where it is in the bytes ?2: `(session × STARTS + start) × LENGTHS + length`. For each session ?1 has, in
 * sixteen digits, what must be added to the ordinal of a text in the list to get its row id.
 */
export const INSERT_TEXTS = `
INSERT INTO "EntryText" (rowid, text)
SELECT key + CAST(substr(?1, 1 + (value >> 40) * 16, 16) AS INTEGER),
       CAST(substr(?2, 1 + ((value >> 13) & 134217727), value & 8191) AS TEXT)
FROM json_each(?3) WHERE value & 8191 > 0
`
const encoder = new TextEncoder()
const DIGITS = 16
const LENGTHS = 2 ** 13
const STARTS = 2 ** 27
const MOST_SESSIONS = 2 ** 12
if (LENGTHS <= MOST_TEXT_BYTES) throw new Error('The longest text has no room in a place')

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
