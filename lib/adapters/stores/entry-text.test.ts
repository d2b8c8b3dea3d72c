import { afterEach, describe, expect, test, vi } from 'vitest'
import type { LineOrigin } from '../jsonl/line-origin'
import { entryTextAt, manyEntryTextAt } from './entry-text'

const FIRST = '{"type":"message","id":"aa11","message":{"role":"user","content":"{\\"id\\":\\"bb22\\"}"}}'
const TURNED = '{"id":"cc33","type":"message","message":{"role":"user","content":"Hello."}}'

function origin(...lines: string[]): LineOrigin {
  const all = Buffer.from(`${lines.join('\n')}\n`)
  return {
    path: 'a.jsonl',
    stamp: { dev: 1, ino: 1, size: all.length, mtimeMs: 0 },
    length: all.length,
    bytesFrom: (from) => {
      let at = from
      return {
        bytesRead: 0,
        read: (into, offset, length) => {
          const got = all.copy(into, offset, at, Math.min(all.length, at + length))
          at += got
          return got
        },
      }
    },
  }
}

const place = (id: string, line: string, before = '') => ({
  id,
  seq: before === '' ? 0 : 1,
  offset: before === '' ? 0 : Buffer.byteLength(before) + 1,
  bytes: Buffer.byteLength(line),
})

afterEach(() => vi.restoreAllMocks())

describe('one of many entries', () => {
  test('is known by its head, and not parsed for its id', () => {
    const parse = vi.spyOn(JSON, 'parse')
    expect(manyEntryTextAt(origin(FIRST), place('aa11', FIRST), 1_000)).toBe(FIRST)
    expect(parse).not.toHaveBeenCalled()
    expect(entryTextAt(origin(FIRST), place('aa11', FIRST), 1_000)).toBe(FIRST)
    expect(parse).toHaveBeenCalled()
  })

  test('is found as well where its keys are in another order', () => {
    const two = origin(FIRST, TURNED)
    expect(manyEntryTextAt(two, place('cc33', TURNED, FIRST), 1_000)).toBe(TURNED)
  })

  test('is refused where another is in its place, whatever that one quotes', () => {
    expect(() => manyEntryTextAt(origin(FIRST), place('bb22', FIRST), 1_000)).toThrow('has changed')
    expect(() => manyEntryTextAt(origin(`x${FIRST}`), place('aa11', FIRST), 1_000)).toThrow('has changed')
  })
})
