// AssemblyScript. A line without its long texts and the counts of its usage. `lib/build` compiles it; `line-skeleton.ts` one
// folder up starts it and says what it is for.
import {
  COUNTS_LEFT_OUT,
  FIELD_ENDS,
  LINE,
  MOST_FIELD_ENDS,
  NESTED_COUNTS_LEFT_OUT,
  SKELETON,
  TEXT_FIELD,
  USAGE_FIELD,
  WIDE,
} from '../line-skeleton-layout'
import {
  areByte,
  byteAt,
  COLON,
  clearBehind,
  LETTER_X,
  OPENING_BRACE,
  places,
  QUOTE,
  STEP,
  sameEight,
} from './bytes'
import { clearNested, hasNested, skipCounts } from './skip-counts'
import { isVisible, leastUnits, skipText } from './skip-text'

/** Texts of up to so many UTF-16 units stay where they are. */
const SHORT_TEXT = 127

/** Where the skeleton has been written to, and the line copied up to. */
let written = 0
let copied = 0

/**
 * Writes the line at `LINE` to `SKELETON`, with one letter in place of each long text, and nothing in what models used.
 * Answers its length, or 0 when the line must be read as it is.
 */
export function strip(length: i32): i32 {
  const end = LINE + length
  let at = LINE
  let all = i8x16.splat(0)
  written = SKELETON
  copied = LINE
  clearBehind(end)
  while (at < end) {
    const bytes = v128.load(at)
    const following = v128.load(at, 1)
    all = v128.or(all, bytes)
    const opens = v128.or(areByte(following, QUOTE), areByte(following, OPENING_BRACE))
    let hits = places(v128.and(areByte(bytes, COLON), opens))
    let next = at + STEP
    while (hits !== 0) {
      const colon = at + ctz(hits)
      hits &= hits - 1
      const from = colon + 2
      if (byteAt(colon + 1) === OPENING_BRACE) {
        if (!sameEight(colon - 8, USAGE_FIELD)) continue
        clearNested()
        const close = skipCounts(from, 1)
        if (close === 0) continue
        copyUpTo(colon + 1)
        writeNoCounts()
        copied = close
        next = close
        break
      }
      if (!isTextField(colon)) continue
      const close = skipText(from)
      if (close === 0) return 0
      if (leastUnits <= SHORT_TEXT) continue
      if (!isVisible(from, close)) return 0
      copyUpTo(from)
      store<u8>(written, LETTER_X)
      written += 1
      copied = close
      next = close
      break
    }
    at = next
  }
  copyUpTo(end)
  store<i32>(WIDE, places(all))
  return written - SKELETON
}

/** Whether the field whose colon is here is one whose long texts are taken out. */
function isTextField(colon: i32): bool {
  if (sameEight(colon - 6, TEXT_FIELD)) return true
  for (let i = 0; i < MOST_FIELD_ENDS; i++) if (sameEight(colon - 8, FIELD_ENDS + 8 * i)) return true
  return false
}

/** Copies what the skeleton and the line have in common. */
function copyUpTo(place: i32): void {
  memory.copy(written, copied, place - copied)
  written += place - copied
}

/** Writes an object without counts, as deep as the one whose place it takes. */
function writeNoCounts(): void {
  store<u64>(written, load<u64>(hasNested ? NESTED_COUNTS_LEFT_OUT : COUNTS_LEFT_OUT))
  written += hasNested ? 8 : 2
}
