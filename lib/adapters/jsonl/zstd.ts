import * as zlib from 'node:zlib'
import { Decompress } from 'fzstd'
import type { Bytes } from '../../core/units/units'
import type { ByteSource } from './byte-source'

/** Largest window that a frame may ask for: the limit of the zstd command itself. Bytes. */
const MAX_WINDOW = 128 * 1024 * 1024

/**
 * Compressed bytes handed over at a time. Small, because one block of three bytes can represent 128 KiB: this bounds
 * what one step can produce to 64 MiB.
 */
const STEP = 2048

/**
 * What an archive of transcripts may unpack to: real ones grow 5 to 30 times. Every entry that a runtime writes has an
 * individual id and a time, which cost at least a byte each however well the rest is packed; so lines are bounded by
 * the packed bytes as well.
 */
const MOST_TIMES = 200
const MIB = 1024 * 1024
const LEAST_BYTES = 64 * MIB
const LEAST_LINES = 20_000
const NEWLINE = 10

type NativeDecompress = (data: Uint8Array, options: { maxOutputLength: number }) => Buffer

/** Node has Zstandard from 22.15 on; its types of version 20 do not know. */
const native: NativeDecompress | null =
  'zstdDecompressSync' in zlib ? (zlib.zstdDecompressSync as NativeDecompress) : null

/**
 * Decompresses Zstandard frames that hold no more than `limit` bytes.
 *
 * @throws Error when the data is damaged or holds more.
 */
export function decompressZstd(data: Uint8Array, limit: number, decompress = native): Buffer {
  if (decompress !== null) return decompress(data, { maxOutputLength: Math.max(1, limit) })
  checkWindow(data)
  const parts: Uint8Array[] = []
  let size = 0
  const stream = new Decompress((part) => {
    size += part.length
    if (size > limit) throw new Error(`holds more than ${limit} bytes`)
    parts.push(part)
  })
  // The library is made for plain arrays; a Buffer's `slice` shares memory where theirs copies.
  const plain = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  for (let at = 0; at < plain.length; at += STEP) stream.push(plain.subarray(at, at + STEP))
  stream.push(new Uint8Array(0), true)
  return Buffer.concat(parts, size)
}

/** Decompresses a source of Zstandard frames on the fly, as far as an archive of transcripts can go. */
export class ZstdBytes implements ByteSource {
  private readonly source: ByteSource
  private readonly mostBytes: Bytes
  private readonly mostLines: number
  private bytes = 0
  private lines = 0
  private readonly stream: Decompress
  private readonly input = Buffer.allocUnsafeSlow(STEP)
  private ready: Uint8Array[] = []
  /** Bytes of `ready[0]` that were handed out. */
  private used = 0
  private started = false
  private ended = false

  /** @param packed how many bytes the source has */
  constructor(source: ByteSource, packed: number) {
    this.source = source
    this.mostBytes = Math.max(LEAST_BYTES, MOST_TIMES * packed)
    this.mostLines = LEAST_LINES + packed
    this.stream = new Decompress((part) => {
      if (part.length === 0) return
      this.ready.push(part)
      this.bytes += part.length
      if (this.bytes <= this.mostBytes) this.lines += countNewlines(part, this.mostLines + 1 - this.lines)
    })
  }

  get bytesRead(): number {
    return this.source.bytesRead
  }

  read(into: Buffer, at: number, length: number): number {
    while (this.ready.length === 0 && !this.ended) this.step()
    const part = this.ready[0]
    if (part === undefined) return 0
    const count = Math.min(length, part.length - this.used)
    into.set(part.subarray(this.used, this.used + count), at)
    this.used += count
    if (this.used === part.length) {
      this.ready.shift()
      this.used = 0
    }
    return count
  }

  /** @throws Error where the unpacked text goes beyond any transcript; what came before was handed out. */
  private step(): void {
    if (this.bytes > this.mostBytes) {
      throw new Error(
        `it unpacks to more than ${Math.round(this.mostBytes / MIB)} MiB, far more than its size allows for; what follows is left out`,
      )
    }
    if (this.lines > this.mostLines) {
      throw new Error(
        `it unpacks to more than ${this.mostLines} lines, far more than its size allows for; what follows is left out`,
      )
    }
    const got = this.source.read(this.input, 0, STEP)
    if (!this.started && got > 0) {
      checkWindow(this.input.subarray(0, got))
      this.started = true
    }
    this.ended = got === 0
    // A copy: what a step leaves over is kept by the library until the next one.
    this.stream.push(new Uint8Array(this.input.subarray(0, got)), this.ended)
  }
}

/** Newlines in a text; not counted beyond `most`. */
function countNewlines(text: Uint8Array, most: number): number {
  let count = 0
  for (let at = text.indexOf(NEWLINE); at >= 0 && count < most; at = text.indexOf(NEWLINE, at + 1)) count++
  return count
}

/** Refuses a frame whose header asks for a window that only an attack would need (RFC 8878, 3.1.1.1.2). */
function checkWindow(data: Uint8Array): void {
  if (data[0] !== 0x28 || data[1] !== 0xb5 || data[2] !== 0x2f || data[3] !== 0xfd) return
  const descriptor = data[4] ?? 0
  const singleSegment = (descriptor & 0x20) !== 0
  const bits = data[5] ?? 0
  const window = singleSegment
    ? contentSize(data, descriptor)
    : 2 ** (10 + (bits >> 3)) * (1 + (bits & 7) / 8)
  if (window > MAX_WINDOW) throw new Error(`asks for a window of ${window} bytes`)
}

function contentSize(data: Uint8Array, descriptor: number): number {
  const flag = descriptor >> 6
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0
  const length = flag === 0 ? 1 : 2 ** flag
  let size = 0
  for (let i = length - 1; i >= 0; i--) size = size * 256 + (data[5 + dictionary + i] ?? 0)
  return flag === 1 ? size + 256 : size
}
