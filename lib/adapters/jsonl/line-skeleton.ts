import { fillHexDigits, startByteMachine } from './byte-machine'
import { MODULE } from './compiled/line-skeleton'
import * as AT from './line-skeleton-layout'

type Machine = {
  readonly bytes: Buffer
  readonly strip: (length: number) => number
}

/** Shorter lines hold no text that would be taken out. Bytes. */
const LEAST_LINE = 256

/** What the machine compares or writes eight bytes at a time. */
const WORDS: readonly (readonly [number, string])[] = [
  [AT.USAGE_FIELD, ',"usage"'],
  [AT.COUNTS_LEFT_OUT, '{}'],
  [AT.NESTED_COUNTS_LEFT_OUT, '{"x":{}}'],
  [AT.TEXT_FIELD, '"text":"'],
]
/** Ends of the names of further fields whose long texts are not read, with their quote; the last eight bytes count. */
const FIELD_ENDS = ['thinking"', 'content"', 'signature"', 'summary"', 'newText"', 'oldText"'] as const

let machine: Machine | null | undefined

/**
 * The text of a line with `x` in place of each long text, and nothing in the counts of `usage`, for readers of neither:
 * most of a transcript then never becomes a string. It is JSON exactly when the line itself is, and differs in nothing
 * else; texts that may be blank, have halves of characters, or are shorter than 128 UTF-16 units are never taken out.
 * Null when the line must be read as it is, because nothing would be gained or anything is in doubt.
 */
export function lineSkeleton(line: Uint8Array): string | null {
  const { length } = line
  if (length < LEAST_LINE || length > AT.LINE_BYTES) return null
  if (machine === undefined) machine = startMachine()
  if (machine === null) return null
  const { bytes, strip } = machine
  bytes.set(line, AT.LINE)
  const stripped = strip(length)
  if (stripped === 0) return null
  const end = AT.SKELETON + stripped
  const isPlain = bytes[AT.WIDE] === 0 && bytes[AT.WIDE + 1] === 0
  return bytes.toString(isPlain ? 'latin1' : 'utf8', AT.SKELETON, end)
}

/** Null where the processor or the platform has none. */
function startMachine(): Machine | null {
  const started = startByteMachine(MODULE, AT.END)
  if (started === null) return null
  const { bytes, functions } = started
  for (const letter of '"\\/bfnrt') bytes[AT.ESCAPES + letter.charCodeAt(0)] = 1
  fillHexDigits(bytes, AT.HEX)
  for (const [at, word] of WORDS) bytes.write(word, at, 'latin1')
  FIELD_ENDS.forEach((end, i) => {
    bytes.write(end.slice(-8), AT.FIELD_ENDS + 8 * i, 'latin1')
  })
  return { bytes, strip: functions.strip as Machine['strip'] }
}
