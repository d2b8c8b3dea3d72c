import { describe, expect, it } from 'vitest'
import { ARGUMENT_PLACEHOLDER, clearedArguments, isCleared } from './cleared-arguments'

const [short, long] = ['x'.repeat(120), 'x'.repeat(121)]
const gone = '[Old tool input cleared]'

/** The value, so many objects deep. */
const nested = (depth: number, value: unknown): unknown =>
  depth === 0 ? value : { in: nested(depth - 1, value) }

describe('arguments without their long texts', () => {
  it('a text of 120 characters stays, one of 121 goes, names and figures stay', () => {
    expect(clearedArguments({ path: 'a.ts', short, long, count: 7, yes: true, no: null })).toEqual({
      ...{ path: 'a.ts', short, long: gone, count: 7, yes: true, no: null },
    })
    expect(ARGUMENT_PLACEHOLDER).toBe(gone)
  })

  it('so it is in lists and in what is nested', () => {
    expect(clearedArguments({ edits: [{ old: short, new: long }, long, 7, null] })).toEqual({
      edits: [{ old: short, new: gone }, gone, 7, null],
    })
  })

  it('what is nested eight deep goes as a whole, however short it is', () => {
    expect(clearedArguments(nested(8, 'x'))).toEqual(nested(8, 'x'))
    expect(clearedArguments(nested(9, 'x'))).toEqual(nested(8, gone))
    expect(clearedArguments(nested(8, ['x']))).toEqual(nested(8, gone))
    expect(clearedArguments(nested(7, ['x']))).toEqual(nested(7, ['x']))
    // Lists count as objects do: the innermost object is eight deep, its text is nine deep.
    expect(clearedArguments({ in: [[[[[[[{ in: 'x' }]]]]]]] })).toEqual({ in: [[[[[[[gone]]]]]]] })
    expect(clearedArguments({ in: [[[[[[{ in: 'x' }]]]]]] })).toEqual({ in: [[[[[[{ in: 'x' }]]]]]] })
  })

  it('JSON text stays JSON text, and text that is none stays as it is', () => {
    expect(clearedArguments(JSON.stringify({ path: 'a.ts', long }))).toBe(
      JSON.stringify({ path: 'a.ts', long: gone }),
    )
    // Not written anew where it is short: not even its blanks change.
    expect(clearedArguments('{ "a": 1 }')).toBe('{ "a": 1 }')
    const spaced = `{ "a": 1 }${' '.repeat(110)}`
    expect([spaced.length, clearedArguments(spaced)]).toEqual([120, spaced])
    expect(clearedArguments(`${spaced} `)).toBe('{"a":1}')
    for (const other of [
      long,
      `*** Update File: a.ts\n${long}`,
      JSON.stringify([long]),
      JSON.stringify(long),
    ])
      expect(clearedArguments(other)).toBe(other)
  })

  it('what are no arguments stays as it is', () => {
    for (const other of [undefined, null, 7, true]) expect(clearedArguments(other)).toBe(other)
    expect(clearedArguments([long])).toEqual([long])
  })

  it('arguments that were cleared before are known by the placeholder', () => {
    expect(isCleared(JSON.stringify(clearedArguments({ long })))).toBe(true)
    expect(isCleared(JSON.stringify(clearedArguments({ short })))).toBe(false)
  })
})
