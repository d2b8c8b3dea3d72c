import { readSync } from 'node:fs'

/** Bytes in order, read synchronously: one reader, from front to back. */
export interface ByteSource {
  /** Fills `into` from `at` on with up to `length` bytes; returns how many, 0 at the end. */
  read(into: Buffer, at: number, length: number): number
  /** Bytes taken from disk so far. */
  readonly bytesRead: number
}

/** The bytes of an open file from `position` up to `end`. */
export class FileBytes implements ByteSource {
  bytesRead = 0
  private readonly fd: number
  private position: number
  private readonly end: number

  constructor(fd: number, position: number, end: number) {
    this.fd = fd
    this.position = position
    this.end = end
  }

  read(into: Buffer, at: number, length: number): number {
    const wanted = Math.min(length, this.end - this.position)
    if (wanted <= 0) return 0
    const got = readSync(this.fd, into, at, wanted, this.position)
    this.position += got
    this.bytesRead += got
    return got
  }
}

/** Reads on until `count` bytes have gone by; returns how many did. */
export function skipBytes(source: ByteSource, count: number): number {
  const scratch = Buffer.allocUnsafe(Math.min(count, 64 * 1024))
  let skipped = 0
  while (skipped < count) {
    const got = source.read(scratch, 0, Math.min(scratch.length, count - skipped))
    if (got === 0) break
    skipped += got
  }
  return skipped
}

/** Bytes that are in memory already. */
export class MemoryBytes implements ByteSource {
  bytesRead = 0
  private readonly data: Uint8Array
  private position: number

  constructor(data: Uint8Array, position = 0) {
    this.data = data
    this.position = position
  }

  read(into: Buffer, at: number, length: number): number {
    const part = this.data.subarray(this.position, this.position + length)
    into.set(part, at)
    this.position += part.length
    this.bytesRead += part.length
    return part.length
  }
}
