import { expect, test } from 'vitest'
import { SpanHolders } from './span-holders'

/** Chunks, each with the texts that it holds. */
function holding(...chunks: readonly (readonly string[])[]): (text: string) => readonly number[] {
  const holders = new SpanHolders()
  for (const [chunk, texts] of chunks.entries())
    for (const text of texts) {
      const kind =
        /[/.]\w*$/.test(text) && !text.includes('::') && !text.includes('()') ? 'path' : 'identifier'
      holders.add(holders.number({ kind, text }), chunk, chunk)
    }
  return (text) => holders.writable(holders.find(text), chunks.length)
}

test('a path can be written by whoever reads the end of it, or a longer one that ends with it', () => {
  const sources = holding(
    ['packages/tui/test/chat.ts'],
    ['../tui/test/chat.ts'],
    ['test/chat.ts'],
    ['other/tests/chat.ts'],
  )
  expect(sources('packages/tui/test/chat.ts')).toEqual([0, 1, 2])
  expect(sources('test/chat.ts')).toEqual([0, 1, 2])
  expect(sources('other/tests/chat.ts')).toEqual([3])
})

test('the name of a file says its path while no other file has that name', () => {
  expect(holding(['src/a/main.ts'], ['main.ts'])('src/a/main.ts')).toEqual([0, 1])
  expect(holding(['src/a/main.ts'], ['main.ts'], ['src/b/main.ts'])('src/a/main.ts')).toEqual([0])
})

test('a folder can be written by whoever reads a path below it, wherever its root is', () => {
  const sources = holding(
    ['lib/core'],
    ['/home/who/app/lib/core/walk.ts'],
    ['lib/core-two/walk.ts'],
    ['core/walk.ts'],
  )
  expect(sources('lib/core')).toEqual([0, 1])
})

test('folders that are the end of a folder are found, whole names only', () => {
  const holders = new SpanHolders()
  const [near, far] = ['lib/core', 'core'].map((text) => holders.number({ kind: 'path', text }))
  expect(holders.endsOf('/home/who/app/lib/core')).toEqual([near])
  expect(holders.endsOf('/home/who/app/my-lib/core')).toEqual([])
  expect(far).not.toBe(near)
})

test('what is written as TypeScript is imported as JavaScript', () => {
  expect(holding(['../core/session.js'], ['src/core/session.ts'])('src/core/session.ts')).toEqual([0, 1])
})

test('a name of several parts can be written by whoever reads its last one', () => {
  expect(holding(['queue::RingBuffer'], ['RingBuffer'])('queue::RingBuffer')).toEqual([0, 1])
})

test('a name can be written by whoever reads its words in other letters', () => {
  expect(holding(['since_ms'], ['sinceMs'], ['SINCE_MS'], ['since_mss'])('sinceMs')).toEqual([0, 1, 2])
})

test('other letters alone are no source: the name was made of them', () => {
  const holders = new SpanHolders()
  holders.add(holders.number({ kind: 'identifier', text: 'since_ms' }), 0, 0)
  const made = holders.number({ kind: 'identifier', text: 'sinceMs' })
  expect(holders.writable(made, 1)).toEqual([])
})
