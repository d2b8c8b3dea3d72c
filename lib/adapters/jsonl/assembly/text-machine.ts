// AssemblyScript. The long texts of a line: found, sized and taken out, without a string made of them. `lib/build` compiles
// it; `text-machine.ts` one folder up starts it and says what it is for.
import {
  LINE,
  MOST_TEXTS,
  RAW_FROM,
  RAW_TO,
  RECORD_BYTES,
  RECORDS,
  SKELETON,
  SKELETON_LENGTH,
  SKELETON_WIDE,
  STAND_IN,
  SUMMARY_FIELD,
  TEXT_FIELD,
  TEXT_FROM,
  TEXT_TO,
  TEXT_WEIGHTS,
  TEXT_WIDE,
  TEXTS,
  THINKING_FIELD,
} from '../text-machine-layout'
import {
  areByte,
  BACKSLASH,
  byteAt,
  COLON,
  clearBehind,
  LETTER_T,
  LETTER_U,
  places,
  QUOTE,
  STEP,
  sameEight,
} from './bytes'
import { textEnd, textWide, unescapeText } from './unescape'
import { walk } from './walk'

export { walk }

/** Shorter texts stay where they are. Bytes. */
const LONG_TEXT = 96
/** The answer for a line that must be read in the ordinary way. */
const DOUBTFUL = -1
/** Bytes of a stand-in: an escape of six, and the number of the text. */
const STAND_IN_BYTES = 7

/**
 * Finds the long texts of the line at `LINE`. Writes the line with a stand-in for each to `SKELETON`, the texts without
 * their escapes to `TEXTS`, and what is known of each to `RECORDS`. Answers how many there are, or `DOUBTFUL`.
 */
export function scan(length: i32): i32 {
  const end = LINE + length
  let count = 0
  let at = LINE
  // Up to here the line has been copied, to there.
  let copied = LINE
  let skeleton = SKELETON
  let out = TEXTS
  let escaped = 0
  let all = i8x16.splat(0)
  clearBehind(end)
  while (at < end) {
    const bytes = v128.load(at)
    const following = v128.load(at, 1)
    all = v128.or(all, bytes)
    let escapes = places(v128.and(areByte(bytes, BACKSLASH), areByte(following, LETTER_U)))
    let hits = places(v128.and(areByte(bytes, COLON), areByte(following, QUOTE)))
    let next = at + STEP
    while (hits !== 0) {
      const colon = at + ctz(hits)
      hits &= hits - 1
      if (!isTextField(colon)) continue
      const from = colon + 2
      const close = unescapeText(from, out)
      if (close === 0) return DOUBTFUL
      if (close - from <= LONG_TEXT || count === MOST_TEXTS) continue
      writeRecord(count, from, close, out)
      memory.copy(skeleton, copied, from - copied)
      skeleton += from - copied
      writeStandIn(skeleton, count)
      skeleton += STAND_IN_BYTES
      count += 1
      copied = close
      out = textEnd + STEP
      // Escapes before the text count, those in it do not.
      escapes &= (1 << (colon - at)) - 1
      next = close
      break
    }
    escaped |= escapes
    at = next
  }
  // An escaped character outside of the texts might be that of a stand-in.
  if (escaped !== 0) return DOUBTFUL
  memory.copy(skeleton, copied, end - copied)
  store<i32>(SKELETON_LENGTH, skeleton + end - copied - SKELETON)
  store<i32>(SKELETON_WIDE, places(all))
  return count
}

/** Whether the field whose colon is here is one whose long texts are taken out: `text`, `thinking` or `summary`. */
function isTextField(colon: i32): bool {
  if (sameEight(colon - 6, TEXT_FIELD)) return true
  if (sameEight(colon - 8, THINKING_FIELD))
    return byteAt(colon - 10) === QUOTE && byteAt(colon - 9) === LETTER_T
  return sameEight(colon - 8, SUMMARY_FIELD) && byteAt(colon - 9) === QUOTE
}

/** Notes where the text is that was just unescaped to `out`, and what it weighs. */
function writeRecord(index: i32, from: i32, close: i32, out: i32): void {
  const record = RECORDS + index * RECORD_BYTES
  store<i32>(record, from, RAW_FROM)
  store<i32>(record, close, RAW_TO)
  store<i32>(record, out, TEXT_FROM)
  store<i32>(record, textEnd, TEXT_TO)
  store<i32>(record, textWide ? 1 : 0, TEXT_WIDE)
  store<i32>(record, walk(out, textEnd), TEXT_WEIGHTS)
}

/** Writes U+0001 and the number of the text; see `core/transcript/long-texts.ts`. */
function writeStandIn(at: i32, index: i32): void {
  store<u64>(at, load<u64>(STAND_IN))
  store<u8>(at, byteAt(STAND_IN + STAND_IN_BYTES - 1) + index, STAND_IN_BYTES - 1)
}
