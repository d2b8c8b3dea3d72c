import { expect, test } from 'vitest'
import { MemoryDisk } from '../../testing/memory-disk'
import { isColdFile, isLogFile, leftAloneText } from './recognise-files'

/** The first byte of a character that has two. */
const HALF = Uint8Array.of(0xc3)

test.each([
  ['the index of cold storage', 'index.jsonl', isColdFile],
  ['a log', 'drops.jsonl', isLogFile],
])('a file with half a character is not an empty one: %s', async (_, name, isOwn) => {
  const answer = async (content: string | Uint8Array) => {
    const disk = new MemoryDisk()
    await disk.makeFolder('/place')
    await disk.put(`/place/${name}`, content)
    return isOwn(disk, '/place', `/place/${name}`)
  }
  expect(await answer('')).toBe(true)
  expect(await answer(HALF)).toBe(false)
})

test('what is left alone is said with its folder, how many it is, why, and some of it', () => {
  const why = { one: 'is no log', many: 'are no logs' }
  expect(leftAloneText('/s', { count: 1, examples: ['a'] }, why)).toBe(
    'Left alone in /s: 1 file that is no log (a).',
  )
  expect(leftAloneText('/s', { count: 7, examples: ['a', 'b'] }, why)).toBe(
    'Left alone in /s: 7 files that are no logs (e.g. a, b).',
  )
})
