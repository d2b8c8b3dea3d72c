import { forWords, type VisitWord } from '../texts/text-words'

/** Words of a shingle, and neighbouring shingles of which the smallest is chosen. */
const [SHINGLE, WINDOW] = [8, 4]
/** Base of the rolling hash, and its power by which the word that leaves a shingle counts. */
const BASE = 0x01000193
const OLDEST = powerOf(BASE, SHINGLE)

/**
 * Calls `visit` for the fingerprints of a text: hashes of eight successive words, of every four neighbours the smallest
 * ("Winnowing", Schleimer, Wilkerson and Aiken, 2003). Two texts that share eleven successive words share at least one.
 * What is no word makes no difference (`forWords`). Linear in the length.
 * @param visit gets the hash, and where its words are, in characters
 * @param onWord gets each word on the way
 */
export function forPrints(
  text: string,
  visit: (print: number, from: number, to: number) => void,
  onWord: VisitWord | null = null,
): void {
  const words = new Int32Array(SHINGLE)
  const begins = new Int32Array(SHINGLE + WINDOW)
  const ends = new Int32Array(WINDOW)
  const prints = new Uint32Array(WINDOW)
  let [count, rolling, chosen] = [0, 0, -1]
  forWords(text, (hash, from, to) => {
    onWord?.(hash, from, to)
    const slot = count % SHINGLE
    rolling = (Math.imul(rolling, BASE) + hash - Math.imul(words[slot] as number, OLDEST)) | 0
    words[slot] = hash
    begins[count % begins.length] = from
    count += 1
    const shingle = count - SHINGLE
    if (shingle < 0) return
    prints[shingle % WINDOW] = mixed(rolling)
    ends[shingle % WINDOW] = to
    if (shingle < WINDOW - 1) return
    const best = smallest(prints, shingle)
    if (best === chosen) return
    chosen = best
    visit(
      prints[best % WINDOW] as number,
      begins[best % begins.length] as number,
      ends[best % WINDOW] as number,
    )
  })
}

/** The number of the smallest print of the last four, the latest of equal ones. */
function smallest(prints: Uint32Array, last: number): number {
  let best = last
  for (let shingle = last - 1; shingle > last - WINDOW; shingle--)
    if ((prints[shingle % WINDOW] as number) < (prints[best % WINDOW] as number)) best = shingle
  return best
}

/** Neighbours of the rolling hash are alike in their high bits; they would be chosen in rows. */
function mixed(hash: number): number {
  let mix = hash ^ (hash >>> 16)
  mix = Math.imul(mix, 0x7feb352d)
  mix ^= mix >>> 15
  return Math.imul(mix, 0x846ca68b) >>> 0
}

function powerOf(base: number, exponent: number): number {
  let power = 1
  for (let i = 0; i < exponent; i++) power = Math.imul(power, base)
  return power
}
