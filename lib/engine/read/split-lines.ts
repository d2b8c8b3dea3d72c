// Copies are made with a constructor: the slices of Node’s buffers share their memory.
const NEWLINE = 10

/** One line as its bytes are in the file, without the newline. Valid until the next one is asked for. */
export type RawLine = {
  /** From 1. */
  readonly line: number
  readonly bytes: Uint8Array
  /** Its length, also when only its beginning is in `bytes`. */
  readonly length: number
  /** A newline follows. */
  readonly ended: boolean
}

/** Of longer lines only this much of the beginning is kept. */
const KEPT_BYTES = 1024

/**
 * Splits bytes into lines on newlines only, blank lines included, in groups of what came at once. A line longer than
 * `maxLine` bytes is not held in memory; the last line is there even when it is empty of all but its missing newline.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxLine: number,
): AsyncGenerator<readonly RawLine[]> {
  let number = 1
  const pending = new PendingLine(maxLine)
  for await (const chunk of chunks) {
    const lines: RawLine[] = []
    let from = 0
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      const part = chunk.subarray(from, to)
      lines.push(pending.end(number, part, true))
      number++
      from = to + 1
    }
    pending.add(chunk.subarray(from))
    if (lines.length > 0) yield lines
  }
  if (pending.length > 0) yield [pending.end(number, new Uint8Array(0), false)]
}

/** The beginning of a line whose end has not come yet. */
class PendingLine {
  length = 0
  private parts: Uint8Array[] = []
  private readonly maxLine: number

  constructor(maxLine: number) {
    this.maxLine = maxLine
  }

  add(part: Uint8Array): void {
    if (part.length === 0) return
    this.length += part.length
    if (this.length <= this.maxLine) this.parts.push(new Uint8Array(part))
    else
      this.parts = [
        new Uint8Array(join([...this.parts, part.subarray(0, KEPT_BYTES)]).subarray(0, KEPT_BYTES)),
      ]
  }

  end(line: number, part: Uint8Array, ended: boolean): RawLine {
    if (this.length === 0 && part.length <= this.maxLine)
      return { line, bytes: part, length: part.length, ended }
    this.add(part)
    const whole = { line, bytes: join(this.parts), length: this.length, ended }
    this.parts = []
    this.length = 0
    return whole
  }
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts
  if (first !== undefined && parts.length === 1) return first
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Only blanks, which every runtime passes over. Zero bytes are none. */
export function isBlankLine(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    if (byte !== 0x20 && (byte < 0x09 || byte > 0x0d)) return false
  }
  return true
}
