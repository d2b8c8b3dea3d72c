import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../testing/builders/any-text'
import { runs } from '../../testing/runs'
import { type ByteSource, MemoryBytes } from './byte-source'
import { LineReader, type LineResult, TAIL_BYTES } from './jsonl-lines'

type Line = { text: string; offset: number; bytes: number; line: number }

function readerOf(data: Buffer, buffer = 64, maxLine = 1 << 20, source: ByteSource = new MemoryBytes(data)) {
  return new LineReader(source, { offset: 0, line: 0, tail: 0 }, { buffer, maxLine })
}

function collect(reader: LineReader): { lines: Line[]; last: LineResult } {
  const lines: Line[] = []
  for (;;) {
    const last = reader.next()
    if (last !== 'line') return { lines, last }
    lines.push({ text: reader.text(), offset: reader.offset, bytes: reader.bytes, line: reader.line })
  }
}

/** Hands out at most `step` bytes at a time. */
class Dripping extends MemoryBytes {
  private readonly step: number

  constructor(data: Buffer, step: number) {
    super(data)
    this.step = step
  }

  override read(into: Buffer, at: number, length: number): number {
    return super.read(into, at, Math.min(length, this.step))
  }
}

describe('splitting lines', () => {
  it('agrees with a plain split, whatever the buffer and however the bytes drip in', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.string({ unit: anyCharacter, maxLength: 40 }), fc.constant(''), fc.constant('  \t')),
        ),
        fc.boolean(),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 30 }),
        (parts, ended, buffer, step) => {
          const texts = parts.map((part) => part.replace(/[\n\r\uFEFF]/g, ''))
          const data = Buffer.from(texts.join('\n') + (ended ? '\n' : ''))
          const { lines, last } = collect(readerOf(data, buffer, 1 << 20, new Dripping(data, step)))

          let offset = 0
          const expected = data
            .toString()
            .split('\n')
            .map((text, i) => {
              const line = { text, offset, bytes: Buffer.byteLength(text), line: i + 1 }
              offset += line.bytes + 1
              return line
            })
          const unfinished = expected.pop()
          const filled = expected.filter(({ text }) => /[^\0- ]/.test(text))
          expect(lines).toEqual(filled)
          expect(last).toBe(unfinished && /[^\0- ]/.test(unfinished.text) ? 'torn' : 'end')
        },
      ),
      runs(150),
    )
  })

  it('bytes that few lines have are found in the same lines as by asking each line', () => {
    const rare = [Buffer.from('ab'), Buffer.from('a'), Buffer.from('aba')] as const
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\n'), maxLength: 12 }), { maxLength: 30 }),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom(0, 1),
        (parts, buffer, step, from) => {
          const data = Buffer.from(`${parts.join('c')}\n`)
          const reader = readerOf(data, buffer, 1 << 20, new Dripping(data, step))
          for (let line = 0; reader.next() === 'line'; line++) {
            // Not each line is asked for all of them.
            for (const bytes of rare.slice(line % 2)) {
              expect(reader.hasRare(bytes, from)).toBe(reader.text().slice(from).includes(bytes.toString()))
            }
          }
        },
      ),
    )
  })

  it('splits on newlines only', () => {
    const text = '{"a":"\u2028\u2029\u0085\v\f\r x"}'
    expect(collect(readerOf(Buffer.from(`${text}\n${text}\n`))).lines.map((line) => line.text)).toEqual([
      text,
      text,
    ])
  })

  it('a byte order mark and carriage returns are no part of a line; offsets tell where the line itself is', () => {
    const { lines } = collect(readerOf(Buffer.from('\uFEFF{"a":1}\r\n\r\n{"b":2}\r\n')))
    expect(lines).toEqual([
      { text: '{"a":1}', offset: 3, bytes: 7, line: 1 },
      { text: '{"b":2}', offset: 14, bytes: 7, line: 3 },
    ])
  })

  it('bytes that are not UTF-8 are counted as they are', () => {
    const { lines } = collect(readerOf(Buffer.from([0x61, 0xff, 0x62, 10, 0x63, 10])))
    expect(lines).toEqual([
      { text: 'a\uFFFDb', offset: 0, bytes: 3, line: 1 },
      { text: 'c', offset: 4, bytes: 1, line: 2 },
    ])
  })

  it('leaves an unfinished line where it is', () => {
    const reader = readerOf(Buffer.from('one\ntwo'))
    expect(reader.next()).toBe('line')
    expect(reader.next()).toBe('torn')
    expect(reader.text()).toBe('two')
    reader.leaveTorn()
    expect([reader.position, reader.line]).toEqual([4, 1])
    reader.takeTorn()
    expect([reader.position, reader.line]).toEqual([7, 2])
  })

  it('passes over a line above the limit without holding it, counted to the byte', () => {
    const long = 'x'.repeat(100_000)
    const reader = readerOf(Buffer.from(`a\n${long}\nb\n`), 64, 1000)
    const seen: [LineResult, number, number, number][] = []
    for (let result = reader.next(); result !== 'end'; result = reader.next()) {
      seen.push([result, reader.offset, reader.bytes, reader.line])
    }
    expect(seen).toEqual([
      ['line', 0, 1, 1],
      ['oversize', 2, 100_000, 2],
      ['line', 100_003, 1, 3],
    ])
  })

  it('a line above the limit is so whatever the buffer', () => {
    expect(readerOf(Buffer.from(`${'x'.repeat(50)}\n`), 4096, 49).next()).toBe('oversize')
    expect(readerOf(Buffer.from(`${'x'.repeat(49)}\n`), 4096, 49).next()).toBe('line')
    expect(readerOf(Buffer.from(`${'x'.repeat(49)}\n`), 16, 49).next()).toBe('line')
  })

  it('an unfinished line above the limit can be left, and the bytes before it are still known', () => {
    const reader = readerOf(Buffer.from(`${'a'.repeat(30)}\n${'x'.repeat(20_000)}`), 64, 1000)
    expect(reader.next()).toBe('line')
    const before = Buffer.from(reader.tail())
    expect(reader.next()).toBe('torn')
    expect(reader.bytes).toBe(20_000)
    reader.leaveTorn()
    expect([reader.position, reader.line]).toEqual([31, 1])
    expect(Buffer.from(reader.tail())).toEqual(before)
  })

  it('always knows the last 4 KiB before its position', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 5000 }),
        (lengths, buffer) => {
          const data = Buffer.from(lengths.map((n, i) => `${String(i).repeat(n)}\n`).join(''))
          const reader = readerOf(data, buffer, 2500)
          while (reader.next() !== 'end') {
            const { position } = reader
            // `toEqual` would take the bytes one by one.
            const before = data.subarray(Math.max(0, position - TAIL_BYTES), position)
            expect(before.equals(reader.tail()), `before ${position}`).toBe(true)
          }
        },
      ),
    )
  })

  it('memory is bounded by the largest line, not by the file', () => {
    // 64 MiB of lines through a buffer of 64 KiB.
    const block = Buffer.from(`${'y'.repeat(1023)}\n`.repeat(64))
    let left = 1024
    const source: ByteSource = {
      bytesRead: 0,
      read: (into, at, length) => (left-- > 0 ? block.copy(into, at, 0, Math.min(length, block.length)) : 0),
    }
    const before = process.memoryUsage().arrayBuffers
    const reader = new LineReader(
      source,
      { offset: 0, line: 0, tail: 0 },
      { buffer: 64 << 10, maxLine: 1 << 20 },
    )
    while (reader.next() === 'line') {}
    expect(reader.line).toBeGreaterThan(60_000)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 << 20)
  })
})
