// AssemblyScript. Passes over objects that hold nothing but numbers: what a call to a model used.
import {
  byteAt,
  CLOSING_BRACE,
  COLON,
  COMMA,
  LETTER_A,
  LETTER_E,
  LETTER_Z,
  MINUS,
  NINE,
  OPENING_BRACE,
  PLUS,
  POINT,
  QUOTE,
  ZERO,
} from './bytes'

/** A letter in lower case: the one bit by which cases differ in ASCII. */
const LOWER = 0x20

/** Whether the counts that were passed over have others in them. The caller clears it. */
export let hasNested = false

export function clearNested(): void {
  hasNested = false
}

/**
 * Where the object ends whose first name begins at `at`, if it has numbers only, or so many levels of objects of numbers, by
 * names of letters and with no blanks; else 0.
 */
export function skipCounts(at: i32, levels: i32): i32 {
  while (true) {
    if (byteAt(at) !== QUOTE) return 0
    at += 1
    while (isLetter(byteAt(at))) at += 1
    if (byteAt(at) !== QUOTE || byteAt(at + 1) !== COLON) return 0
    at += 2
    if (byteAt(at) === OPENING_BRACE) {
      if (levels === 0) return 0
      hasNested = true
      at = skipCounts(at + 1, levels - 1)
    } else at = skipNumber(at)
    if (at === 0) return 0
    const byte = byteAt(at)
    at += 1
    if (byte === CLOSING_BRACE) return at
    if (byte !== COMMA) return 0
  }
}

/** Where the JSON number ends that begins at `at` (RFC 8259, section 6); 0 when there is none. */
function skipNumber(at: i32): i32 {
  if (byteAt(at) === MINUS) at += 1
  // No digit follows a zero in front.
  if (byteAt(at) === ZERO && isDigit(byteAt(at + 1))) return 0
  at = skipDigits(at)
  if (at === 0) return 0
  if (byteAt(at) === POINT) {
    at = skipDigits(at + 1)
    if (at === 0) return 0
  }
  if ((byteAt(at) | LOWER) !== LETTER_E) return at
  const sign = byteAt(at + 1)
  return skipDigits(sign === PLUS || sign === MINUS ? at + 2 : at + 1)
}

/** Where the digits end, of which there must be one; else 0. */
function skipDigits(at: i32): i32 {
  if (!isDigit(byteAt(at))) return 0
  do at += 1
  while (isDigit(byteAt(at)))
  return at
}

function isDigit(byte: i32): bool {
  return byte >= ZERO && byte <= NINE
}

function isLetter(byte: i32): bool {
  const lower = byte | LOWER
  return lower >= LETTER_A && lower <= LETTER_Z
}
