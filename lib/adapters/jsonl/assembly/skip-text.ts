// AssemblyScript. Passes over JSON strings and says just enough about them for `line-skeleton.ts`.
import { ESCAPES, HEX } from '../line-skeleton-layout'
import {
  areByte,
  BACKSLASH,
  byteAt,
  LETTER_F,
  LETTER_N,
  LETTER_R,
  LETTER_T,
  LETTER_U,
  places,
  QUOTE,
  STEP,
} from './bytes'

/** How many UTF-16 units the text that `skipText` passed over last has at least. */
export let leastUnits = 0

/** The most bytes that one UTF-16 unit takes in UTF-8. */
const MOST_PER_UNIT = 3

/**
 * Where the closing quote of the JSON string is whose first byte is at `from`; 0 when it has none, or anything that JSON
 * does not allow (RFC 8259, section 7), or half of a character as an escape. What is not UTF-8 is let pass: decoded it would
 * be characters too.
 */
export function skipText(from: i32): i32 {
  const first = from
  // Bytes by which the escapes so far are longer than the units that they mean.
  let escaped = 0
  let all = i8x16.splat(0)
  while (true) {
    const bytes = v128.load(from)
    all = v128.or(all, bytes)
    const special = v128.or(
      i8x16.lt_u(bytes, i8x16.splat(0x20)),
      v128.or(areByte(bytes, QUOTE), areByte(bytes, BACKSLASH)),
    )
    const found = places(special)
    if (found === 0) {
      from += STEP
      continue
    }
    from += ctz(found)
    const byte = byteAt(from)
    if (byte === QUOTE) {
      const most = from - first - escaped
      // What follows the text counts too: too few units do no harm.
      const isWide = places(all) !== 0
      leastUnits = isWide ? most / MOST_PER_UNIT : most
      return from
    }
    if (byte !== BACKSLASH) return 0
    if (load<u8>(byteAt(from + 1), ESCAPES) !== 0) {
      from += 2
      escaped += 1
      continue
    }
    if (byteAt(from + 1) !== LETTER_U || !isWholeUnit(from + 2)) return 0
    from += 6
    escaped += 5
  }
}

/** Whether four hexadecimal digits are here, and they do not mean half of a character (D800 to DFFF). */
function isWholeUnit(at: i32): bool {
  const first = hexDigit(at)
  const second = hexDigit(at + 1)
  if ((first | second | hexDigit(at + 2) | hexDigit(at + 3)) > 15) return false
  return first !== 0xd || second < 8
}

function hexDigit(at: i32): i32 {
  return load<u8>(byteAt(at), HEX) as i32
}

/** Whether something in the text between two addresses is certainly no blank of any script. */
export function isVisible(from: i32, to: i32): bool {
  while (from < to) {
    const byte = byteAt(from)
    if (byte === BACKSLASH) {
      const letter = byteAt(from + 1)
      if (letter === LETTER_U) return false
      if (letter !== LETTER_N && letter !== LETTER_R && letter !== LETTER_T && letter !== LETTER_F)
        return true
      from += 2
      continue
    }
    if (byte > 0x20 && byte < 0x80) return true
    // Blanks beyond ASCII begin with C2, E1, E2, E3 or EF; what is not UTF-8 is shown as U+FFFD.
    if (byte > 0xc2 && byte !== 0xe1 && byte !== 0xe2 && byte !== 0xe3 && byte !== 0xef) return true
    from += 1
  }
  return false
}
