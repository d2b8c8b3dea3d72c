import * as zlib from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { zstdOf } from '../../testing/hostile/bombs'
import { storeFixture } from '../../testing/store-folder'
import { MemoryBytes } from './byte-source'
import { decompressZstd, ZstdBytes } from './zstd'

const ROW = storeFixture('row-2026.9.6.json.zst')
const ROW_TEXT = storeFixture('row-2026.9.6.json')
const LINES = storeFixture('pi-version-1.jsonl')
const FRAMES = storeFixture('pi-version-1.jsonl.zst')

/** What this Node brings itself, and the library for those that bring nothing. */
const DECODERS = [
  ['the library', undefined],
  ...('zstdDecompressSync' in zlib ? ([['Node', 'native']] as const) : []),
] as const

function decode(name: (typeof DECODERS)[number][1], data: Uint8Array, limit: number): Buffer {
  return name === undefined ? decompressZstd(data, limit, null) : decompressZstd(data, limit)
}

function streamed(data: Uint8Array, step: number): Buffer {
  const source = new ZstdBytes(new MemoryBytes(data), data.length)
  const parts: Buffer[] = []
  for (;;) {
    const part = Buffer.alloc(step)
    const got = source.read(part, 0, step)
    if (got === 0) return Buffer.concat(parts)
    parts.push(part.subarray(0, got))
  }
}

describe.each(DECODERS)('Zstandard with %s', (_, decoder) => {
  it('unpacks a row that OpenClaw wrote', () => {
    expect(decode(decoder, ROW, ROW_TEXT.length)).toEqual(ROW_TEXT)
  })

  it('unpacks data inside a larger buffer', () => {
    const around = Buffer.concat([Buffer.from('before'), ROW, Buffer.from('after')])
    const inside = around.subarray(6, 6 + ROW.length)
    expect(decode(decoder, inside, ROW_TEXT.length)).toEqual(ROW_TEXT)
    expect(decode(decoder, new Uint8Array(inside), ROW_TEXT.length)).toEqual(ROW_TEXT)
  })

  it('refuses more than the limit', () => {
    expect(() => decode(decoder, ROW, ROW_TEXT.length - 1)).toThrow()
  })

  it.each([
    ['rubbish', Buffer.from('this is no frame at all')],
    ['a frame cut off', ROW.subarray(0, 300)],
    ['nothing', Buffer.alloc(0)],
  ])('%s is an error or nothing, never something', (_name, data) => {
    let unpacked: Buffer = Buffer.alloc(0)
    try {
      unpacked = decode(decoder, data, 1 << 20)
    } catch {
      // What a damaged frame should do.
    }
    expect(unpacked.length).toBe(0)
  })

  it('refuses a frame that asks for an absurd window', () => {
    const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xf8, 0x01, 0x00, 0x00])
    expect(() => decode(decoder, frame, 1 << 20)).toThrow()
  })
})

describe('Zstandard on the fly', () => {
  it.each([1, 7, 4096, 1 << 20])('unpacks several frames, %i bytes at a time', (step) => {
    expect(streamed(FRAMES, step)).toEqual(LINES)
  })

  it('a frame cut off is an error after what could be unpacked', () => {
    expect(() => streamed(FRAMES.subarray(0, FRAMES.length - 40), 512)).toThrow()
  })

  it('one step unpacks no more than 64 MiB of a decompression bomb', () => {
    // Blocks of three bytes and one, each with 128 KiB of zeros.
    const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38])
    const size = 128 * 1024
    const block = Buffer.from([2 | ((size << 3) & 0xf8), (size >> 5) & 0xff, (size >> 13) & 0xff, 0])
    const bomb = Buffer.concat([header, ...Array.from({ length: 4096 }, () => block)])
    const source = new ZstdBytes(new MemoryBytes(bomb), bomb.length)
    const before = process.memoryUsage().arrayBuffers
    const got = source.read(Buffer.alloc(1024), 0, 1024)
    expect(got).toBe(1024)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(80 << 20)
    expect(source.bytesRead).toBeLessThan(bomb.length)
  })
})

describe('an archive that unpacks to far more than any transcript', () => {
  const unpack = (data: Uint8Array) => {
    const source = new ZstdBytes(new MemoryBytes(data), data.length)
    const into = Buffer.alloc(1 << 20)
    let bytes = 0
    for (let got = source.read(into, 0, into.length); got > 0; got = source.read(into, 0, into.length))
      bytes += got
    return bytes
  }

  it('is read up to a bound of its bytes', () => {
    expect(unpack(zstdOf(0, 400))).toBe(400 * 128 * 1024)
    expect(() => unpack(zstdOf(0, 32_000))).toThrow('more than 64 MiB')
  })

  it('is read up to a bound of its lines', () => {
    expect(() => unpack(zstdOf(10, 10))).toThrow('more than 20046 lines')
    expect(() => unpack(storeFixture('same-line-1280000.jsonl.zst'))).toThrow(/lines/)
  })

  it('one that is packed well is read whole', () => {
    expect(unpack(FRAMES)).toBe(LINES.length)
  })
})
