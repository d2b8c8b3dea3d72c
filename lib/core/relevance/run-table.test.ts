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

/** The words that a new table finds in a text, and how many runs it made anew. */
function readNew(...parts: readonly string[]) {
  let made = 0
  const table = new RunTable((words) => {
    made += 1
    return words.map(({ whole }) => whole)
  })
  const words: string[] = []
  for (const text of parts) table.visit(text, (found) => words.push(...found))
  return { words, made }
}

test('V2: two runs that are one number are found as one, also across data', () => {
  expect(readNew('forty three crane forty seven').words).toEqual(['40', '43', 'crane', '40', '47'])
  expect(readNew('pier forty three').words).toEqual(['pier', '40', '43'])
  expect(readNew(`forty ${'x'.repeat(65)} three`).words).toEqual(['40', '43'])
  expect(readNew(`forty ${'x'.repeat(64)} three`).words).toEqual(['40', 'x'.repeat(64), '3'])
  const whole: NormalWord[] = []
  new RunTable((words) => words).visit('forty three', (words) => whole.push(...words))
  expect(whole).toEqual(wordsIn('forty three'))
})

test('V2: a run is the same one whatever comes behind it', () => {
  expect(readNew('crane, crane. crane').made).toBe(1)
  expect(readNew('crane\0', 'crane\0').made).toBe(1)
})

test('V2: runs whose characters come to the same number are kept apart', () => {
  // FNV-1a of 32 bits is the same for each pair.
  const pairs = ['declinate', 'macallums', 'altarage', 'zinke', 'costarring', 'liquid']
  const { words, made } = readNew(pairs.join(' '), pairs.join(' '))
  const forms = pairs.map((run) => wordsIn(run)[0]?.whole)
  expect(words).toEqual([...forms, ...forms])
  expect(made).toBe(pairs.length)
})

test('V2: a run is not taken for a longer one that begins alike and has the same place', () => {
  expect(readNew('crane1805 crane').words).toEqual(['crane1805', 'crane'])
  // FNV-1a of 32 bits is the same for both.
  expect(readNew('cranezsvtwck crane').words).toEqual(['cranezsvtwck', 'crane'])
})

test('V2: more characters than there is room for at first', () => {
  const runs = Array.from({ length: 1_100 }, (_, i) => `${'x'.repeat(60)}${i}`)
  const { words, made } = readNew(runs.join(' '), runs.join(' '))
  const forms = runs.map((run) => wordsIn(run)[0]?.whole)
  expect(words.join(' ')).toBe([...forms, ...forms].join(' '))
  expect(made).toBe(runs.length)
})

test('V2: many different words are all found again, and each is made once', () => {
  // As many as there are places at first, and some more.
  const runs = Array.from({ length: 4_200 }, (_, i) => `q${i.toString(36)}w`)
  const { words, made } = readNew(runs.join(' '), runs.join(' '))
  const forms = runs.map((run) => wordsIn(run)[0]?.whole)
  expect(words.join(' ')).toBe([...forms, ...forms].join(' '))
  expect(made).toBe(runs.length)
})
