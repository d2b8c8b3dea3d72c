/**
 * A short hash of a text (53 bits, base 36) to see whether something has changed. Not for security: anybody can make
 * two texts with the same one. A text in pieces has the hash of the whole. Two rounds of multiply and shift, as in the well-known cyrb53.
 */
export function fingerprint(...pieces: readonly string[]): string {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (const text of pieces) {
    const { length } = text
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i)
      a = Math.imul(a ^ code, 2654435761)
      b = Math.imul(b ^ code, 1597334677)
    }
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return base36(4294967296 * (2097151 & b) + (a >>> 0))
}

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz'

/** The same as `toString(36)` of a whole number, which takes several times as long. */
function base36(number: number): string {
  let digits = ''
  let rest = number
  do {
    const above = Math.floor(rest / 36)
    digits = (DIGITS[rest - above * 36] as string) + digits
    rest = above
  } while (rest > 0)
  return digits
}
