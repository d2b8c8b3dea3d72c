import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../testing/store-folder'
import { readBackwards } from './read-backwards'

const file = () => join(temporaryFolder(), 'lines.jsonl')

function linesOf(path: string, most = 10_000_000): string[] {
  const lines: string[] = []
  readBackwards(path, most, (line) => lines.push(line) > 0)
  return lines
}

it('reads lines from the last one on, whatever blocks they are cut by', () => {
  const path = file()
  // Longer than a block, of two and three bytes a character, and empty.
  const lines = ['ä'.repeat(200_000), '', '港'.repeat(43_690), 'a', 'b'.repeat(131_071), 'é€'.repeat(70_001)]
  writeFileSync(path, lines.join('\n'))
  expect(linesOf(path)).toEqual(lines.toReversed())
  writeFileSync(path, `${lines.join('\n')}\n`)
  expect(linesOf(path)).toEqual(['', ...lines.toReversed()])
})

it('ends when enough was read, without the rest of a line', () => {
  const path = file()
  writeFileSync(path, `${'x'.repeat(300)}\none\ntwo\n`)
  expect(linesOf(path, 100)).toEqual(['', 'two', 'one'])
  const taken: string[] = []
  expect(readBackwards(path, 1000, (line) => taken.push(line) < 2)).toBe(true)
  expect(taken).toEqual(['', 'two'])
})

it('takes no folder and nothing that is not there', () => {
  const path = file()
  expect(readBackwards(path, 1000, () => true)).toBe(false)
  mkdirSync(path)
  expect(readBackwards(path, 1000, () => true)).toBe(false)
})
