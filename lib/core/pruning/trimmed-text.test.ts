import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { weighedChars } from './pruner-chars'
import { trimmedChars, trimmedText } from './trimmed-text'

const knobs = (softTrimMaxChars: number, softTrimHeadChars: number, softTrimTailChars: number) => ({
  ...{ softTrimMaxChars, softTrimHeadChars, softTrimTailChars },
})
const note = (head: number, tail: number, length: number) =>
  `\n\n[Tool result trimmed: kept first ${head} chars and last ${tail} chars of ${length} chars.]`
const trim = (parts: readonly string[], given: ReturnType<typeof knobs>, images = 0) =>
  trimmedText({ parts, images }, given)

describe('the soft trim', () => {
  it('leaves a result of the most characters as it is, and of a longer one both ends with a note', () => {
    expect(trim(['abcdefghij'], knobs(10, 3, 2))).toBeNull()
    expect(trim(['abcdefghijk'], knobs(10, 3, 2))).toBe(`abc\n...\njk${note(3, 2, 11)}`)
    expect(trim(['abcdefghijk'], knobs(10, 3, 0))).toBe(`abc\n...\n${note(3, 0, 11)}`)
    expect(trim(['abcdefghijk'], knobs(10, 0, 2))).toBe(`\n...\njk${note(0, 2, 11)}`)
  })

  it('leaves as it is what both ends would hold whole', () => {
    expect(trim(['abcdef'], knobs(2, 3, 3))).toBeNull()
    expect(trim(['abcdef'], knobs(2, 3, 4))).toBeNull()
    expect(trim(['abcdef'], knobs(2, 3, 2))).toBe(`abc\n...\nef${note(3, 2, 6)}`)
  })

  it('takes several texts for one, a line break between them, and makes text of a result with images', () => {
    // Three texts of 3 with two line breaks are 11.
    expect(trim(['abc', 'def', 'ghi'], knobs(11, 2, 2))).toBeNull()
    expect(trim(['abc', 'def', 'ghi'], knobs(10, 5, 2))).toBe(`abc\nd\n...\nhi${note(5, 2, 11)}`)
    expect(trim(['abc', '[image]'], knobs(99, 2, 2), 1)).toBe('abc\n[image]')
    expect(trim([], knobs(0, 0, 0))).toBeNull()
  })

  it('says how many characters are left without making the text', () => {
    const chars = (parts: readonly string[], images: number, plain = true) =>
      trimmedChars({ parts, images, plain }, knobs(4000, 1500, 1500))
    expect(chars([], 0)).toBeNull()
    expect(chars([], 2)).toBe(0)
    expect(chars(['abc', 'de'], 0)).toBeNull()
    expect(chars(['abc', 'de'], 1)).toBe(6)
    expect(chars(['岸', 'de'], 1, false)).toBe(7)
    expect(chars(['岸', 'de'], 0, false)).toBeNull()
    expect(chars(['x'.repeat(4001)], 0)).toBe(1500 + 5 + 1500 + note(1500, 1500, 4001).length)
  })

  it('says as many as the trimmed text has, whatever the texts and the knobs', () => {
    const ends = fc.constantFrom(0, 1, 9, 10, 11, 99, 100, 101)
    const part = fc
      .tuple(fc.constantFrom('a', 'ab ', '岸', '\u{20000}'), fc.nat(400))
      .map(([unit, times]) => unit.repeat(times))
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.nat(1),
        fc.constantFrom(0, 9, 100, 999, 1000),
        ends,
        ends,
        (parts, images, most, head, tail) => {
          const plain = parts.every((one) => weighedChars(one) === one.length)
          const text = trim(parts, knobs(most, head, tail), images)
          const chars = trimmedChars({ parts, images, plain }, knobs(most, head, tail))
          expect(chars).toBe(text === null ? null : weighedChars(text))
        },
      ),
    )
  })
})
