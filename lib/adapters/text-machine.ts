import { buildAutomaton, OFFSET_MASK, WEIGHT_SCALE, WEIGHT_SHIFT } from '../core/tokens/estimate-automaton'
import { AT, LINE_BYTES, textMachineModule } from './text-machine-code'

/**
 * A few functions in WebAssembly that look at text as bytes: the walk of `core/tokens/estimate.ts` over the same tables,
 * so with the same figures, and the search for long texts in a line (see `long-texts.ts`). Reading whole stores
 * consists of hardly anything else, and takes less than half the time this way.
 */
export type TextMachine = {
  /** All of its memory; places are those of `AT`. */
  readonly bytes: Buffer
  readonly words: DataView
  /** Sum of the weights of the bytes from one address to another. */
  readonly walk: (from: number, to: number) => number
  /** Looks for long texts in the line of so many bytes at `AT.line`. */
  readonly scan: (length: number) => number
}

let machine: TextMachine | null | undefined
let wanted = 0

/** Starting takes about as long as sizing this much in the ordinary way. Bytes. */
const WORTH_STARTING = 4 * 1024 * 1024

/**
 * The machine of this thread; null where the processor or the platform has none, and as long as so little was wanted of
 * it that starting would cost more than it saves.
 * @param bytes that are to be looked at now
 */
export function textMachine(bytes: number): TextMachine | null {
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
export const MOST_BYTES = LINE_BYTES

function startMachine(): TextMachine | null {
  let instance: WebAssembly.Instance
  try {
    instance = new WebAssembly.Instance(new WebAssembly.Module(textMachineModule()))
  } catch {
    return null
  }
  const { memory, walk, scan } = instance.exports
  if (!(memory instanceof WebAssembly.Memory) || typeof walk !== 'function' || typeof scan !== 'function')
    return null
  const bytes = Buffer.from(memory.buffer)
  fillTables(bytes)
  return {
    bytes,
    words: new DataView(memory.buffer),
    walk: walk as TextMachine['walk'],
    scan: scan as TextMachine['scan'],
  }
}

const ESCAPES = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
/** Bytes from here on stand for the classes of what is not ASCII. */
const FIRST_CLASS = 128

function fillTables(bytes: Buffer): void {
  const { classes, table } = buildAutomaton()
  for (const [letter, meant] of Object.entries(ESCAPES)) {
    bytes[AT.escapes + letter.charCodeAt(0)] = meant.charCodeAt(0)
  }
  bytes.fill(0xff, AT.hex, AT.hex + 256)
  for (const digit of '0123456789abcdefABCDEF') {
    bytes[AT.hex + digit.charCodeAt(0)] = Number.parseInt(digit, 16)
  }
  for (let unit = 0; unit < 65_536; unit++) {
    bytes[AT.units + unit] = unit < FIRST_CLASS ? unit : FIRST_CLASS + (classes[unit] ?? 0)
  }
  for (let byte = 0; byte < 256; byte++) {
    const charClass = byte < FIRST_CLASS ? (classes[byte] ?? 0) : byte - FIRST_CLASS
    // No class is so high that it would not fit; bytes beyond the last class never occur.
    bytes[AT.classes + byte] = (charClass * 4) & 0xff
  }
  table.forEach((cell, i) => {
    const [next, weight] = [(cell & OFFSET_MASK) * 4, cell >>> WEIGHT_SHIFT]
    if (next > 0xffff || weight > 0xffff) throw new Error('The estimator’s table does not fit its machine')
    bytes.writeUInt32LE(weight * 0x10000 + next, AT.table + i * 4)
  })
}
