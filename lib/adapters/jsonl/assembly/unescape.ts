// AssemblyScript. A JSON string without its escapes, as the bytes that the estimator walks.
import { ESCAPES, HEX, UNITS } from '../text-machine-layout'
import { areByte, BACKSLASH, byteAt, LETTER_U, places, QUOTE, STEP } from './bytes'

/** What `unescapeText` found besides: where the bytes that it wrote end, and whether the text has more than ASCII. */
export let textEnd = 0
export let textWide = false

/** Larger than any character: bytes that are none. */
const BROKEN = i32.MAX_VALUE

/**
 * Writes the JSON string whose first byte is at `from` to `out` without its escapes, one byte for each UTF-16 unit (see
 * `UNITS`). Answers where its closing quote is; 0 when it has none, or anything that JSON (RFC 8259, section 7) or UTF-8
 * (RFC 3629, section 4) do not allow.
 */
export function unescapeText(from: i32, out: i32): i32 {
  let units = 0
  while (true) {
    const bytes = v128.load(from)
    v128.store(out, bytes)
    // As signed bytes, what is not ASCII is below the space too.
    const special = v128.or(
      i8x16.lt_s(bytes, i8x16.splat(0x20)),
      v128.or(areByte(bytes, QUOTE), areByte(bytes, BACKSLASH)),
    )
    const found = places(special)
    if (found === 0) {
      from += STEP
      out += STEP
      continue
    }
    const plain = ctz(found)
    from += plain
    out += plain
    const byte = byteAt(from)
    if (byte === QUOTE) {
      textEnd = out
      textWide = units > 0x7f
      return from
    }
    if (byte === BACKSLASH) {
      const meant = load<u8>(byteAt(from + 1), ESCAPES)
      if (meant !== 0) {
        store<u8>(out, meant)
        out += 1
        from += 2
        continue
      }
      if (byteAt(from + 1) !== LETTER_U) return 0
      const unit = unitOfHex(from + 2)
      if (unit === BROKEN) return 0
      units |= unit
      out = writeUnit(out, unit)
      from += 6
      continue
    }
    // Control characters, continuation bytes, and the beginnings of what could be written shorter.
    if (byte < 0xc2 || byte > 0xf4) return 0
    units = 0xff
    if (byte < 0xe0) {
      const character = withContinued(byte & 0x1f, from + 1)
      if (character === BROKEN) return 0
      out = writeUnit(out, character)
      from += 2
    } else if (byte < 0xf0) {
      const character = withContinued(withContinued(byte & 0x0f, from + 1), from + 2)
      const isSurrogate = (character & 0xf800) === 0xd800
      if (character === BROKEN || character < 0x800 || isSurrogate) return 0
      out = writeUnit(out, character)
      from += 3
    } else {
      const character = withContinued(withContinued(withContinued(byte & 0x07, from + 1), from + 2), from + 3)
      if (character < 0x10000 || character > 0x10ffff) return 0
      const above = character - 0x10000
      out = writeUnit(writeUnit(out, 0xd800 + (above >> 10)), 0xdc00 + (above & 0x3ff))
      from += 4
    }
  }
}

/** The unit of four hexadecimal digits. */
function unitOfHex(at: i32): i32 {
  const a = hexDigit(at)
  const b = hexDigit(at + 1)
  const c = hexDigit(at + 2)
  const d = hexDigit(at + 3)
  return (a | b | c | d) > 15 ? BROKEN : (a << 12) | (b << 8) | (c << 4) | d
}

function hexDigit(at: i32): i32 {
  return load<u8>(byteAt(at), HEX) as i32
}

/** The bits of a character, and behind them those of the continuation byte at `at`. */
function withContinued(bits: i32, at: i32): i32 {
  const byte = byteAt(at)
  return bits === BROKEN || (byte & 0xc0) !== 0x80 ? BROKEN : (bits << 6) | (byte & 0x3f)
}

/** Answers where the next unit goes. */
function writeUnit(out: i32, unit: i32): i32 {
  store<u8>(out, load<u8>(unit, UNITS))
  return out + 1
}
