import type { LinePlace } from '../../core/transcript/reading/empty-fact'
import type { LongTexts } from '../../core/transcript/reading/long-texts'
import type { TextReading } from '../../core/transcript/reading/read-content'
import { type ReadLine, readSkeleton } from '../../core/transcript/reading/read-line'
import { fastEstimate } from './fast-estimate'
import type { LineReader } from './jsonl-lines'
import { type TextMachine, textMachine, unitsOfWeights } from './text-machine'
import * as AT from './text-machine-layout'

/** Shorter lines are read in the ordinary way as fast. Bytes. */
const LEAST_LINE = 256

/** The most bytes that one UTF-16 unit takes in JSON: `\uXXXX`. */
const MOST_PER_UNIT = 6
/** A cut that falls into an escape or a character is moved back by no more than this. */
const MOST_BACK = 12

/**
 * Reads a line without making strings of its long texts: they are sized as the bytes they are, only their first part
 * becomes a string, and what is left of the line is parsed. The entry is the same as that of `readLine`; null when
 * that is the one to ask, because nothing would be gained or anything is in doubt.
 */
export function readWithoutTexts(
  lines: LineReader,
  place: LinePlace,
  { estimate, weigh, texts, marks }: Omit<TextReading, 'longTexts'>,
): ReadLine | null {
  // Texts are sized with the tables of one estimator only.
  if (estimate !== fastEstimate || lines.bytes < LEAST_LINE || lines.bytes > AT.LINE_BYTES) return null
  const machine = textMachine(lines.bytes)
  if (machine === null) return null
  const { bytes, words } = machine
  lines.copyTo(bytes, AT.LINE)
  if (machine.scan(lines.bytes) <= 0) return null
  const end = AT.SKELETON + words.getInt32(AT.SKELETON_LENGTH, true)
  const isPlain = words.getInt32(AT.SKELETON_WIDE, true) === 0
  const skeleton = isPlain
    ? bytes.toString('latin1', AT.SKELETON, end)
    : bytes.toString('utf8', AT.SKELETON, end)
  return readSkeleton(skeleton, place, { estimate, longTexts: textsOf(machine), weigh, texts, marks })
}

let longTexts: LongTexts | null = null

/** The texts of the line that was scanned last. */
function textsOf({ bytes, words }: TextMachine): LongTexts {
  const field = (index: number, offset: number) =>
    words.getInt32(AT.RECORDS + index * AT.RECORD_BYTES + offset, true)
  longTexts ??= {
    units: (index) => unitsOfWeights(field(index, AT.TEXT_WEIGHTS)),
    length: (index) => {
      if (field(index, AT.TEXT_WIDE) === 0) return field(index, AT.TEXT_TO) - field(index, AT.TEXT_FROM)
      const raw = bytes.toString('utf8', field(index, AT.RAW_FROM), field(index, AT.RAW_TO))
      return (JSON.parse(`"${raw}"`) as string).length
    },
    head: (index, length) => {
      const from = field(index, AT.TEXT_FROM)
      const to = Math.min(field(index, AT.TEXT_TO), from + length)
      if (field(index, AT.TEXT_WIDE) === 0) return bytes.toString('latin1', from, to)
      return wideHead(bytes, field(index, AT.RAW_FROM), field(index, AT.RAW_TO), length)
    },
  }
  return longTexts
}

/** The first units of a text that is more than ASCII, from its bytes in the line. */
function wideHead(bytes: Buffer, from: number, to: number, length: number): string {
  let end = from + length * MOST_PER_UNIT + MOST_BACK
  end = end >= to ? to : endOfWhole(bytes, from, end)
  return (JSON.parse(`"${bytes.toString('utf8', from, end)}"`) as string).slice(0, length)
}

/** Where an escape or a character begins that `end` is in or before. */
function endOfWhole(bytes: Buffer, from: number, end: number): number {
  let at = end
  while (((bytes[at] ?? 0) & 0xc0) === 0x80) at--
  // An escape takes six bytes at most. Backslashes in a row belong together in twos from the first one on.
  for (let back = 1; back < MOST_PER_UNIT; back++) {
    if (bytes[at - back] !== BACKSLASH) continue
    let first = at - back
    while (first > from && bytes[first - 1] === BACKSLASH) first--
    const isEscape = (at - back - first) % 2 === 0
    return isEscape ? at - back : at
  }
  return at
}

const BACKSLASH = 0x5c
