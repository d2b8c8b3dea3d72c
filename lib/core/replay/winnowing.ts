/** Words of a shingle, and neighbouring shingles of which the smallest is chosen. */
const [SHINGLE, WINDOW] = [8, 4]
/** Base of the rolling hash, and its power by which the word that leaves a shingle counts. */
const BASE = 0x01000193
const OLDEST = powerOf(BASE, SHINGLE)
/** Longer texts are looked at from both ends only, as for spans. Characters. */
const MAX_TEXT = 200_000

/**
 * Calls `visit` for the fingerprints of a text: hashes of eight successive words, of every four neighbours the smallest
 * ("Winnowing", Schleimer, Wilkerson and Aiken, 2003). Two texts that share eleven successive words share at least one.
 * Punctuation and white space make no difference. Linear in the length.
 * @param visit gets the hash, and where its words are, in characters
 */
export function forPrints(text: string, visit: (print: number, from: number, to: number) => void): void {
  if (text.length <= MAX_TEXT) scan(text, 0, text.length, visit)
  else {
    scan(text, 0, MAX_TEXT / 2, visit)
    scan(text, text.length - MAX_TEXT / 2, text.length, visit)
  }
}

function scan(
  text: string,
  start: number,
  end: number,
  visit: (print: number, from: number, to: number) => void,
): void {
  const words = new Int32Array(SHINGLE)
  const begins = new Int32Array(SHINGLE + WINDOW)
  const ends = new Int32Array(WINDOW)
  const prints = new Uint32Array(WINDOW)
  let [count, rolling, chosen] = [0, 0, -1]
  for (let i = start; i < end; ) {
    if (!isWord(text.charCodeAt(i))) {
      i += 1
      continue
    }
    const from = i
    let hash = 0x811c9dc5
    for (let code = text.charCodeAt(i); i < end && isWord(code); code = text.charCodeAt(i)) {
      hash = Math.imul(hash ^ code, 0x01000193)
      i += 1
    }
    const slot = count % SHINGLE
    rolling = (Math.imul(rolling, BASE) + hash - Math.imul(words[slot] as number, OLDEST)) | 0
    words[slot] = hash
    begins[count % begins.length] = from
    count += 1
    const shingle = count - SHINGLE
    if (shingle < 0) continue
    prints[shingle % WINDOW] = mixed(rolling)
    ends[shingle % WINDOW] = i
    if (shingle < WINDOW - 1) continue
    const best = smallest(prints, shingle)
    if (best === chosen) continue
    chosen = best
    visit(
      prints[best % WINDOW] as number,
      begins[best % begins.length] as number,
      ends[best % WINDOW] as number,
    )
  }
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

function isWord(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code >= 0xc0
  )
}
