import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedLines, diffHunks, diffLines, diffSections } from './line-diff'
import { mergeThreeWay, threeWay } from './three-way'

const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join('')
const anyText = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 })
  .map((lines) => text(...lines))

describe('X8 what a save changes, line by line', () => {
  it('names removed and added lines with their numbers', () => {
    expect(diffLines(text('a', 'b', 'c'), text('a', 'x', 'c', 'd'))).toEqual([
      { kind: 'same', before: 1, after: 1, text: 'a' },
      { kind: 'removed', before: 2, after: null, text: 'b' },
      { kind: 'added', before: null, after: 2, text: 'x' },
      { kind: 'same', before: 3, after: 3, text: 'c' },
      { kind: 'added', before: null, after: 4, text: 'd' },
    ])
    expect([...changedLines(text('a', 'b', 'c'), text('a', 'x', 'c', 'd'))]).toEqual([2, 4])
  })

  it('leaves out what is far from any change, and says how much', () => {
    const long = Array.from({ length: 30 }, (_, i) => `line ${i}`)
    const sections = diffSections(diffLines(text(...long), text(...long.with(15, 'new'))), 2)
    expect(sections.map((s) => (s.kind === 'skipped' ? s.count : s.lines.length))).toEqual([13, 6, 12])
  })

  it('both sides can be read off any comparison', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        const lines = diffLines(a, b)
        expect(text(...lines.filter((l) => l.kind !== 'added').map((l) => l.text))).toBe(a)
        expect(text(...lines.filter((l) => l.kind !== 'removed').map((l) => l.text))).toBe(b)
        expect(diffHunks(a.split('\n'), a.split('\n'))).toEqual([])
      }),
    )
  })
})

describe('X8 a file that another hand changed meanwhile', () => {
  const base = text('a', 'b', 'c', 'd', 'e')

  it('changes in different places go together', () => {
    const parts = threeWay(base, text('a', 'B', 'c', 'd', 'e'), text('a', 'b', 'c', 'd', 'E', 'f'))
    expect(parts.map((part) => [part.kind, part.line])).toEqual([
      ['same', 1],
      ['mine', 2],
      ['same', 3],
      ['theirs', 5],
    ])
    expect(mergeThreeWay(parts, () => null)).toBe(text('a', 'B', 'c', 'd', 'E', 'f'))
  })

  it('one line between them is enough to separate two changes; none makes them one', () => {
    const apart = threeWay(base, text('a', 'B', 'c', 'd', 'e'), text('a', 'b', 'c', 'D', 'e'))
    expect(mergeThreeWay(apart, () => null)).toBe(text('a', 'B', 'c', 'D', 'e'))
    const touching = threeWay(base, text('a', 'B', 'c', 'd', 'e'), text('a', 'b', 'C', 'd', 'e'))
    expect(touching.map((part) => part.kind)).toEqual(['same', 'conflict', 'same'])
  })

  it('the same place changed twice is a conflict that somebody must decide', () => {
    const parts = threeWay(base, text('a', 'mine', 'c', 'd', 'e'), text('a', 'theirs', 'c', 'd', 'e'))
    expect(parts.map((part) => part.kind)).toEqual(['same', 'conflict', 'same'])
    expect(mergeThreeWay(parts, () => null)).toBeNull()
    expect(mergeThreeWay(parts, () => 'theirs')).toBe(text('a', 'theirs', 'c', 'd', 'e'))
    expect(mergeThreeWay(parts, () => 'mine')).toBe(text('a', 'mine', 'c', 'd', 'e'))
  })

  it('the same change by both is none to decide', () => {
    const parts = threeWay(base, text('a', 'x', 'c', 'd', 'e'), text('a', 'x', 'c', 'd', 'e'))
    expect(parts.map((part) => part.kind)).toEqual(['same', 'both', 'same'])
  })

  it('no line of any version gets lost, and one who changed nothing gives way', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (a, b, c) => {
        const parts = threeWay(a, b, c)
        for (const [side, whole] of [
          ['base', a],
          ['mine', b],
          ['theirs', c],
        ] as const) {
          expect(text(...parts.flatMap((part) => part[side]))).toBe(whole)
        }
        expect(mergeThreeWay(threeWay(a, a, c), () => null)).toBe(c)
        expect(mergeThreeWay(threeWay(a, b, a), () => null)).toBe(b)
        expect(mergeThreeWay(parts, () => 'mine')).not.toBeNull()
      }),
    )
  })
})
