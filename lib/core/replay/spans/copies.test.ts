import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { copiesIn, holdsCopy, isPathList } from './copies'
import { PrintHolders } from './print-holders'
import { forPrints } from './winnowing'

function printsOf(text: string): number[] {
  const prints: number[] = []
  forPrints(text, (print) => prints.push(print))
  return prints
}

const anyWord = fc.stringMatching(/^[a-z0-9_]{1,8}$/)
const words = (least: number, most: number) => fc.array(anyWord, { minLength: least, maxLength: most })

/** Twelve times eight words of one subject, none of them as in another. */
const passage = (subject: string) => Array.from({ length: 96 }, (_, i) => `${subject}${i * 7}x`).join(' ')

function holdersOf(texts: readonly string[]): PrintHolders {
  const holders = new PrintHolders()
  for (const [chunk, text] of texts.entries()) forPrints(text, (print) => holders.add(print, chunk))
  return holders
}

/** Every chunk is a text by itself. */
const alone = (chunk: number) => chunk

describe('fingerprints of a text', () => {
  it('have one in common wherever two texts share eleven words in a row', () => {
    fc.assert(
      fc.property(words(11, 40), words(0, 30), words(0, 30), words(0, 30), (shared, a, b, c) => {
        const one = printsOf([...a, ...shared, ...b].join(' '))
        const other = new Set(printsOf([...c, ...shared].join(', ')))
        expect(one.some((print) => other.has(print))).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it('are where their words are', () => {
    const text = `(${passage('apple')})`
    forPrints(text, (_print, from, to) => {
      expect(text.slice(from, to).split(' ')).toHaveLength(8)
      expect(text[from - 1]).toMatch(/[( ]/)
    })
    expect(printsOf(text).length).toBeGreaterThan(20)
  })

  it('are none of fewer than eleven words', () => {
    expect(printsOf('one two three four five six seven')).toEqual([])
  })
})

describe('what an argument copied', () => {
  it('comes from the chunk that has it, and from every other one that has most of it', () => {
    const texts = ['nothing of it', passage('apple'), passage('pear'), `again: ${passage('apple')}`]
    const [copy, ...others] = copiesIn(passage('apple'), holdersOf(texts), texts.length, alone)
    expect(others).toEqual([])
    expect(copy).toMatchObject({ sources: [1, 3], share: 1 })
    expect(passage('apple')).toContain(copy?.text)
  })

  it('may come from blocks of one result that only together have it', () => {
    const words = passage('apple').split(' ')
    const parts = [0, 32, 64].map((from) => words.slice(from, from + 32).join(' '))
    const texts = [passage('apple'), ...parts]
    const sourcesBy = (groupOf: (chunk: number) => number) =>
      copiesIn(passage('apple'), holdersOf(texts), texts.length, groupOf)[0]?.sources
    expect(sourcesBy(alone)).toEqual([0])
    expect(sourcesBy((chunk) => Math.min(chunk, 1))).toEqual([0, expect.any(Number)])
  })

  it('is put together from several places, each with its share', () => {
    const texts = [passage('apple'), passage('pear')]
    const found = copiesIn(`${passage('apple')} ${passage('pear')}`, holdersOf(texts), 2, alone)
    expect(found.map(({ sources }) => sources).sort()).toEqual([[0], [1]])
    expect(found.reduce((sum, { share }) => sum + share, 0)).toBeGreaterThan(0.9)
  })

  it('is nothing when a fifth of it or less is, or when it came later', () => {
    const own = ['a', 'b', 'c', 'd', 'e', 'f'].map(passage).join(' ')
    const holders = holdersOf(['x', passage('apple')])
    expect(copiesIn(`${own} ${passage('apple')}`, holders, 2, alone)).toEqual([])
    expect(copiesIn(passage('apple'), holders, 1, alone)).toEqual([])
  })

  it('is held where most of it is, whatever is between its words', () => {
    const copy = passage('apple')
    expect(holdsCopy(`so: ${copy.replaceAll(' ', '\n')}.`, copy)).toBe(true)
    expect(holdsCopy(copy.slice(0, copy.length / 2), copy)).toBe(false)
    expect(holdsCopy('a short one', 'short')).toBe(true)
  })
})

describe('the holders of fingerprints', () => {
  it('are found again however many there are, latest first', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat({ max: 9_000 }), fc.nat({ max: 20 })), { maxLength: 400 }),
        (pairs) => {
          const sorted = pairs.toSorted((a, b) => a[1] - b[1])
          const holders = new PrintHolders()
          // So many that the table grows.
          for (let print = 0; print < 3_000; print++) holders.add(100_000 + print, 0)
          for (const [print, chunk] of sorted) holders.add(print, chunk)
          for (const [print] of pairs) {
            const expected = [...new Set(sorted.filter(([one]) => one === print).map(([, chunk]) => chunk))]
            expect(holders.latest(print, 99)).toEqual(expected.reverse().slice(0, 12))
          }
        },
      ),
      { numRuns: 20 },
    )
  })
})

it('a list of paths is one, a passage with a path in it is none', () => {
  expect(isPathList('M cmd/a/config.go\n M cmd/a/settings/settings.go')).toBe(true)
  expect(isPathList('the settings are in cmd/a/settings.go and are read once')).toBe(false)
})
