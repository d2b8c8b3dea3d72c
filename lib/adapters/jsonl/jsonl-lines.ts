import type { Bytes } from '../../core/units/units'
import type { ByteSource } from './byte-source'

const NEWLINE = 10
const CARRIAGE_RETURN = 13
const SPACE = 32

/** How many bytes before the cursor are compared to tell growth from replacement. */
export const TAIL_BYTES = 4096

/** How much of the beginning of a line over the limit is kept. */
export const BEGINNING_BYTES = 1024

export type LineLimits = {
  /** A longer line is passed over without being held in memory. Bytes. */
  readonly maxLine: number
  /** Size of one read. Bytes. */
  readonly buffer: number
}

/** What `LineReader.next` came to: a line, a line over the limit, an unfinished last line, or the end. */
export type LineResult = 'line' | 'oversize' | 'torn' | 'end'

/** How far a reader has looked for bytes that few lines have. Places in the source. */
type Looked = {
  /** Where they are next, at or behind the line that was asked about last; -1 if nowhere up to `to`. */
  found: number
  to: number
}

/**
 * Splits bytes into lines on newlines only: U+2028 and other separators are content. Holds one buffer that grows with
 * the longest line up to the limit; nothing is allocated per line. Blank lines are counted and passed over, a carriage
 * return before the newline and a byte order mark at the very start are not part of the line.
 */
export class LineReader {
  /** Where the current line begins in the source, and its bytes without the newline. */
  offset = 0
  bytes = 0
  /** Number of the current line, from 1. */
  line: number
  private readonly source: ByteSource
  private readonly limits: LineLimits
  private buffer: Buffer
  /** Position of buffer[0] in the source. */
  private base: number
  private filled = 0
  /** First byte in the buffer that no finished line covers. */
  private head: number
  private lineStart = 0
  private lineEnd = 0
  private exhausted = false
  private readonly looked = new Map<Buffer, Looked>()
  /** The first bytes of a line over the limit, which is not held. */
  private longBeginning: Buffer | null = null
  /** Set while an unfinished line over the limit is reported: where it begins, and the bytes before it. */
  private longTorn: { readonly offset: number; readonly tail: Buffer } | null = null

  /**
   * @param source begins at `offset - tail`: that many bytes before the first line are kept for `tail()`.
   * @param line lines before `offset`.
   */
  constructor(source: ByteSource, start: { offset: number; line: number; tail: number }, limits: LineLimits) {
    this.source = source
    this.limits = limits
    this.line = start.line
    this.base = start.offset - start.tail
    this.head = start.tail
    this.buffer = Buffer.allocUnsafeSlow(limits.buffer)
    while (this.filled < start.tail && this.fill()) {}
  }

  /** Byte after the last line that was finished (or taken with `takeTorn`). */
  get position(): number {
    return this.base + this.head
  }

  /** The last bytes before `position`, up to `TAIL_BYTES`. Valid until the next call of `next`. */
  tail(): Buffer {
    const end = Math.min(this.head, this.filled)
    return this.buffer.subarray(Math.max(0, end - TAIL_BYTES), end)
  }

  /** Text of the current line; bytes that are not UTF-8 become U+FFFD. */
  text(): string {
    return this.buffer.toString('utf8', this.lineStart, this.lineEnd)
  }

  /** Copies the bytes of the current line. */
  copyTo(target: Buffer, at: number): void {
    this.buffer.copy(target, at, this.lineStart, this.lineEnd)
  }

  /** The first bytes of the current line, one character per byte; of one over the limit up to `BEGINNING_BYTES`. */
  beginning(bytes: Bytes): string {
    if (this.longBeginning !== null) return this.longBeginning.toString('latin1', 0, bytes)
    return this.buffer.toString('latin1', this.lineStart, Math.min(this.lineEnd, this.lineStart + bytes))
  }

  /** The last bytes of the current line, one character per byte. */
  ending(bytes: Bytes): string {
    return this.buffer.toString('latin1', Math.max(this.lineStart, this.lineEnd - bytes), this.lineEnd)
  }

  /** Whether these bytes are in the current line, from its byte `from` on. */
  has(bytes: Buffer, from = 0): boolean {
    return this.buffer.subarray(this.lineStart + from, this.lineEnd).includes(bytes)
  }

  /**
   * The same for bytes that few lines have: what is held is searched once for all of its lines, as asking line
   * by line takes longer than the looking. For the same object each time.
   */
  hasRare(bytes: Buffer, from = 0): boolean {
    const start = this.base + this.lineStart + from
    const end = this.base + this.lineEnd
    const looked = this.looked.get(bytes) ?? { found: -1, to: 0 }
    this.looked.set(bytes, looked)
    const { found, to } = looked
    if (found < start && (found >= 0 || to < end)) {
      const at = found >= 0 ? start : Math.max(start, to - bytes.length + 1)
      const next = this.buffer.subarray(at - this.base, this.filled).indexOf(bytes)
      looked.found = next < 0 ? -1 : at + next
      looked.to = this.base + this.filled
    }
    return looked.found >= start && looked.found + bytes.length <= end
  }

  /** The byte at `position`, or -1 at the end. */
  peek(): number {
    while (this.filled <= this.head) if (!this.fill()) return -1
    return this.buffer[this.head] ?? -1
  }

  /** Passes over what is left of a line that was taken before its newline came. False when more than that follows. */
  finishTornLine(): boolean {
    while (this.filled < this.head + 2 && this.fill()) {}
    const first = this.buffer[this.head]
    const length = first === CARRIAGE_RETURN && this.filled > this.head + 1 ? 2 : 1
    if (this.filled <= this.head) return true
    if (this.buffer[this.head + length - 1] !== NEWLINE) return false
    this.head += length
    return true
  }

  next(): LineResult {
    let scanned = this.head
    for (;;) {
      const newline = scanned < this.filled ? this.indexOfNewline(scanned) : -1
      if (newline >= 0) {
        const start = this.head
        this.head = newline + 1
        this.line++
        if (this.mark(start, newline)) return this.bytes > this.limits.maxLine ? 'oversize' : 'line'
        scanned = this.head
        continue
      }
      scanned = this.filled
      if (scanned - this.head > this.limits.maxLine) return this.skipLongLine()
      const shift = this.makeRoom()
      scanned -= shift
      if (!this.fill()) return this.mark(this.head, this.filled) ? 'torn' : 'end'
    }
  }

  /** Takes the unfinished line that `next` just reported as `torn`. */
  takeTorn(): void {
    this.head = this.filled
    this.line++
    this.longTorn = null
  }

  /** Leaves the unfinished line for another time: `position` and `tail()` are before it again. */
  leaveTorn(): void {
    if (this.longTorn === null) return
    const { offset, tail } = this.longTorn
    tail.copy(this.buffer)
    this.base = offset - tail.length
    this.head = tail.length
    this.filled = tail.length
    this.longTorn = null
  }

  private indexOfNewline(from: number): number {
    const found = this.buffer.indexOf(NEWLINE, from)
    // Beyond `filled` are leftovers of earlier reads.
    return found < this.filled ? found : -1
  }

  /** Notes the bounds of a line; false when it is blank. */
  private mark(start: number, end: number): boolean {
    let from = start
    let to = end
    if (to > from && this.buffer[to - 1] === CARRIAGE_RETURN) to--
    if (this.base + from === 0 && isByteOrderMark(this.buffer, to)) from += 3
    if (isBlank(this.buffer, from, to)) return false
    this.longBeginning = null
    this.lineStart = from
    this.lineEnd = to
    this.offset = this.base + from
    this.bytes = to - from
    return true
  }

  /** Makes room behind `filled`: drops what is done (but for the tail), else doubles. Returns how far bytes moved. */
  private makeRoom(): number {
    if (this.filled < this.buffer.length) return 0
    const keepFrom = Math.max(0, this.head - TAIL_BYTES)
    if (keepFrom > 0 && this.filled - keepFrom <= this.buffer.length / 2) {
      this.buffer.copyWithin(0, keepFrom, this.filled)
    } else {
      const larger = Buffer.allocUnsafeSlow(this.buffer.length * 2)
      this.buffer.copy(larger, 0, keepFrom, this.filled)
      this.buffer = larger
    }
    this.base += keepFrom
    this.head -= keepFrom
    this.filled -= keepFrom
    return keepFrom
  }

  private fill(): boolean {
    if (this.exhausted) return false
    const room = this.buffer.length - this.filled
    const got = this.source.read(this.buffer, this.filled, room)
    this.filled += got
    if (got === 0) this.exhausted = true
    return got > 0
  }

  /** Reads through to the end of a line that is over the limit, holding only the tail. */
  private skipLongLine(): LineResult {
    this.offset = this.base + this.head
    this.longTorn = { offset: this.offset, tail: Buffer.from(this.tail()) }
    this.longBeginning = Buffer.from(this.buffer.subarray(this.head, this.head + BEGINNING_BYTES))
    for (;;) {
      this.head = this.filled
      this.makeRoom()
      if (!this.fill()) {
        this.bytes = this.base + this.filled - this.offset
        return 'torn'
      }
      const newline = this.indexOfNewline(this.head)
      if (newline < 0) continue
      this.longTorn = null
      this.line++
      this.bytes = this.base + newline - this.offset
      this.head = newline + 1
      return 'oversize'
    }
  }
}

function isByteOrderMark(buffer: Buffer, end: number): boolean {
  return end >= 3 && buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf
}

function isBlank(buffer: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if ((buffer[i] ?? 0) > SPACE) return false
  return true
}
