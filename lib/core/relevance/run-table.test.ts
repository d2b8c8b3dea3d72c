import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forNormalWords, type NormalWord } from './normal-words'
import { RunTable } from './run-table'

const PIECES = [
  'crane',
  'Cranes',
  'forty',
  'three',
  'footerView',
  '7kNm',
  '1,000',
  'größe',
  '港湾',
  'v2',
  'x'.repeat(70),
]
const texts = fc.array(fc.constantFrom(...PIECES, ' ', '\n', '-', '.', '_')).map((pieces) => pieces.join(''))

function wordsIn(text: string): NormalWord[] {
  const words: NormalWord[] = []
  forNormalWords(text, (word) => words.push(word))
  return words
}

test('V2: property: a table finds the words of a text that are read without one, whatever was read before', () => {
  const shared = new RunTable((words) => words)
  fc.assert(
    fc.property(fc.oneof(texts, fc.string({ unit: 'grapheme' })), (text) => {
      const found: NormalWord[] = []
      shared.visit(text, (words) => found.push(...words))
      expect(found).toEqual(wordsIn(text))
    }),
    { numRuns: 300 },
  )
})

test('V2: many different words are all found again, and each is made once', () => {
  let made = 0
  const table = new RunTable((words) => {
    made += 1
    return words[0]?.whole ?? ''
  })
  const runs = Array.from({ length: 6_000 }, (_, i) => `q${i.toString(36)}w`)
  for (let round = 0; round < 2; round++) {
    const found: string[] = []
    table.visit(runs.join(' '), (word) => found.push(word))
    expect(found).toEqual(runs.map((run) => wordsIn(run)[0]?.whole))
  }
  expect(made).toBe(runs.length)
})
