import { endianness } from 'node:os'
import {
  estimatorTables,
  OFFSET_MASK,
  WEIGHT_SCALE,
  WEIGHT_SHIFT,
} from '../../core/tokens/estimate-automaton'
import { FIRST_NUMBER, MARK_IN_JSON } from '../../core/transcript/reading/long-texts'
import type { Bytes } from '../../core/units/units'
import { fillHexDigits, startByteMachine } from './byte-machine'
import { MODULE } from './compiled/text-machine'
import * as AT from './text-machine-layout'

/**
 * Functions in WebAssembly that look at text as bytes: the walk of `core/tokens/estimate.ts` over the same tables, so
 * with the same figures, and the search for long texts in a line (see `long-texts.ts`). Their source is
 * `assembly/text-machine.ts`. Plain TypeScript over the same bytes walks them in 2.8 times the time.
 */
export type TextMachine = {
  /** All of its memory; places are those of `text-machine-layout.ts`. */
  readonly bytes: Buffer
  readonly words: DataView
  /** Sum of the weights of the bytes from one address to another. */
  readonly walk: (from: number, to: number) => number
  /** Looks for long texts in the line of so many bytes at `LINE`. */
  readonly scan: (length: number) => number
}

let machine: TextMachine | null | undefined
let wanted = 0

/** Starting takes about as long as sizing this much in the ordinary way in a young process. Bytes. */
const WORTH_STARTING = 64 * 1024

/**
 * The machine of this thread; null where the processor or the platform has none, and as long as so little was wanted of
 * it that starting would cost more than it saves.
 * @param bytes that are to be examined now
 */
export function textMachine(bytes: Bytes): TextMachine | null {
  if (machine !== undefined) return machine
  wanted += bytes
  if (wanted >= WORTH_STARTING) machine = startMachine()
  return machine ?? null
}

/** Units from a sum of weights, as `estimateUnits` answers them. */
export function unitsOfWeights(sum: number): number {
  return Math.max(1, Math.round(sum / WEIGHT_SCALE))
}

/** The longest text that fits. */
export const MOST_BYTES = AT.LINE_BYTES

function startMachine(): TextMachine | null {
  const started = startByteMachine(MODULE, AT.END)
  if (started === null) return null
  const { bytes, functions } = started
  fillWalkTables(bytes)
  let isReadyToScan = false
  const scan = functions.scan as TextMachine['scan']
  return {
    bytes,
    words: new DataView(bytes.buffer),
    walk: functions.walk as TextMachine['walk'],
    scan: (length) => {
      if (!isReadyToScan) fillScanTables(bytes)
      isReadyToScan = true
      return scan(length)
    },
  }
}

const ESCAPES = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
/** What the machine compares or writes eight bytes at a time. */
const WORDS: readonly (readonly [number, string])[] = [
  [AT.TEXT_FIELD, '"text":"'],
  [AT.THINKING_FIELD, 'hinking"'],
  [AT.SUMMARY_FIELD, 'summary"'],
  [AT.STAND_IN, MARK_IN_JSON + String.fromCharCode(FIRST_NUMBER)],
]
/** Bytes from here on represent the classes of what is not ASCII. */
const FIRST_CLASS = 128

/** What sizing texts takes: an agent that only counts waits for no more. */
function fillWalkTables(bytes: Buffer): void {
  const { classes, table } = estimatorTables()
  for (let byte = 0; byte < 256; byte++) {
    const charClass = byte < FIRST_CLASS ? (classes[byte] ?? 0) : byte - FIRST_CLASS
    // No class is so high that it would not fit; bytes beyond the last class never occur.
    bytes[AT.CLASSES + byte] = (charClass * 4) & 0xff
  }
  const cells = new Uint32Array(bytes.buffer, AT.TABLE, table.length)
  for (let i = 0; i < table.length; i++) {
    const cell = table[i] as number
    const next = (cell & OFFSET_MASK) * 4
    const weight = cell >>> WEIGHT_SHIFT
    if (next > 0xffff || weight > 0xffff) throw new Error('The estimator’s table does not fit its machine')
    cells[i] = weight * 0x10000 + next
  }
  // The machine reads little-endian on every processor.
  if (endianness() === 'BE') bytes.subarray(AT.TABLE, AT.TABLE + table.length * 4).swap32()
}

/** What looking for texts in lines takes besides. */
function fillScanTables(bytes: Buffer): void {
  const { classes } = estimatorTables()
  for (const [letter, meant] of Object.entries(ESCAPES)) {
    bytes[AT.ESCAPES + letter.charCodeAt(0)] = meant.charCodeAt(0)
  }
  fillHexDigits(bytes, AT.HEX)
  for (const [at, word] of WORDS) bytes.write(word, at, 'latin1')
  for (let unit = 0; unit < 65_536; unit++) {
    bytes[AT.UNITS + unit] = unit < FIRST_CLASS ? unit : FIRST_CLASS + (classes[unit] ?? 0)
  }
}
