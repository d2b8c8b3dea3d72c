/** Longer texts are known by their beginning. Characters. */
const MOST_KEY = 400

/**
 * What a text is known by: itself, or its beginning, its length and two hashes, so that no second copy of a long one is
 * held.
 */
export function shortKey(text: string): string {
  if (text.length <= MOST_KEY) return text
  let [a, b] = [0x811c9dc5, 0x1b873593]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 13)
  }
  return `${text.slice(0, MOST_KEY / 2)} ${text.length} ${a >>> 0} ${b >>> 0}`
}
