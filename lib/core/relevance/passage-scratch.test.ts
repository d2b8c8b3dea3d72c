import { describe, expect, test } from 'vitest'
import { PassageScratch } from './passage-scratch'

/** Passages 0 and 1 are of text 0, passage 2 is of text 1. */
const TEXTS = [0, 0, 1]
const WORD = { weight: 10, words: 1, parts: 0, partsCredit: 0.8 }
const settle = (scratch: PassageScratch, word: Partial<typeof WORD> = {}, often = (count: number) => count) =>
  scratch.settle({ ...WORD, ...word }, TEXTS, (_passage, count) => often(count))
const scratchOf = () => new PassageScratch(3, 2)

describe('H4, I4: what passages have of a question', () => {
  test('the best of the words that will do counts, as often as they come', () => {
    const scratch = scratchOf()
    scratch.mark(0, 1, 2)
    scratch.mark(0, 0.4, 5)
    scratch.mark(1, 0.4, 5)
    settle(scratch)
    // 1 × 2 + 0.4 × 5 times.
    expect([...scratch.matches(TEXTS)]).toEqual([{ text: 0, passage: 40, whole: 10, telling: 10, words: 1 }])
    scratch.clear()
    scratch.mark(0, 0.4, 5)
    scratch.mark(0, 1, 2)
    settle(scratch, {}, () => 0.5)
    expect([...scratch.matches(TEXTS)]).toEqual([{ text: 0, passage: 5, whole: 10, telling: 10, words: 1 }])
    scratch.clear()
    scratch.mark(2, 0.5, 1)
    settle(scratch)
    expect([...scratch.matches(TEXTS)]).toEqual([{ text: 1, passage: 2.5, whole: 5, telling: 5, words: 1 }])
  })

  test('words add up, and words of asking tell nothing', () => {
    const scratch = scratchOf()
    scratch.mark(2, 1, 1)
    settle(scratch)
    scratch.mark(2, 1, 1)
    settle(scratch, { words: 2, weight: 3 })
    scratch.mark(2, 1, 1)
    settle(scratch, { words: 0, weight: 1 })
    expect([...scratch.matches(TEXTS)]).toEqual([{ text: 1, passage: 14, whole: 14, telling: 13, words: 3 }])
  })

  test('the parts of a name count where a passage has all, the first as often as it comes', () => {
    const scratch = scratchOf()
    scratch.markPart(2, 0, 3)
    scratch.markPart(2, 1, 7)
    settle(scratch, { parts: 2 })
    expect([...scratch.matches(TEXTS)]).toMatchObject([{ text: 1, passage: 24, whole: 8 }])
  })

  test('a part alone counts nothing, nor one that comes after a missing one', () => {
    const scratch = scratchOf()
    scratch.markPart(0, 0, 3)
    scratch.markPart(2, 1, 3)
    settle(scratch, { parts: 2 })
    expect([...scratch.matches(TEXTS)]).toEqual([])
    scratch.mark(0, 0.4, 1)
    scratch.markPart(0, 1, 3)
    settle(scratch, { parts: 2 })
    expect([...scratch.matches(TEXTS)]).toMatchObject([{ text: 0, whole: 4 }])
  })

  test('a text has of a word what its best passage has; of equal passages the first is the best', () => {
    const scratch = scratchOf()
    scratch.mark(0, 1, 1)
    settle(scratch)
    scratch.mark(1, 1, 1)
    settle(scratch, { words: 0 })
    expect([...scratch.matches(TEXTS)]).toEqual([{ text: 0, passage: 10, whole: 20, telling: 10, words: 1 }])
  })

  test('it is too small for more passages or more texts', () => {
    const sizes = [
      [3, 2],
      [4, 2],
      [3, 3],
      [1, 1],
    ] as const
    expect(sizes.map(([passages, texts]) => scratchOf().isTooSmall(passages, texts))).toEqual([
      ...[false, true, true, false],
    ])
  })
})
