import { AT, LINE_BYTES, skeletonModule } from './line-skeleton-code'

type Machine = {
  readonly bytes: Buffer
  readonly strip: (length: number) => number
}

/** Shorter lines hold no text that would be taken out. Bytes. */
const LEAST_LINE = 256

let machine: Machine | null | undefined

/**
 * The text of a line with `x` in place of each long text, and nothing in the counts of `usage`, for whoever looks into
 * neither: most of a transcript then never becomes a string. It is JSON exactly when the line itself is, and differs in
 * nothing else; texts that may be blank, have halves of characters, or are shorter than 128 UTF-16 units are never taken
 * out. Null when the line must be read as it is, because nothing would be gained or anything is in doubt.
 */
export function lineSkeleton(line: Uint8Array): string | null {
  const { length } = line
  if (length < LEAST_LINE || length > LINE_BYTES) return null
  if (machine === undefined) machine = startMachine()
  if (machine === null) return null
  const { bytes, strip } = machine
  bytes.set(line, AT.line)
  const stripped = strip(length)
  if (stripped === 0) return null
  const end = AT.skeleton + stripped
  const isPlain = bytes[AT.wide] === 0 && bytes[AT.wide + 1] === 0
  return bytes.toString(isPlain ? 'latin1' : 'utf8', AT.skeleton, end)
}

/** Null where the processor or the platform has none. */
function startMachine(): Machine | null {
  let instance: WebAssembly.Instance
  try {
    instance = new WebAssembly.Instance(new WebAssembly.Module(skeletonModule()))
  } catch {
    return null
  }
  const { memory, strip } = instance.exports
  if (!(memory instanceof WebAssembly.Memory) || typeof strip !== 'function') return null
  const bytes = Buffer.from(memory.buffer)
  for (const letter of '"\\/bfnrt') bytes[AT.escapes + letter.charCodeAt(0)] = 1
  bytes.fill(0xff, AT.hex, AT.hex + 256)
  for (const digit of '0123456789abcdefABCDEF')
    bytes[AT.hex + digit.charCodeAt(0)] = Number.parseInt(digit, 16)
  return { bytes, strip: strip as Machine['strip'] }
}
