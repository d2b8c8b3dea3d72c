import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { starPattern } from '../../testing/hostile/patterns'
import { wildcard } from './wildcard'

describe('a pattern with stars', () => {
  it.each([
    ['agent:main:*', 'agent:main:tui', true],
    ['agent:main:*', 'agent:main:', true],
    ['agent:main:*', 'agent:other:main:', false],
    ['*/harbour', '/srv/harbour', true],
    ['*/harbour', '/srv/harbour/old', false],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['a*bc*c', 'abc', false],
    ['a*bc*c', 'abcc', true],
    ['*', '', true],
    ['', '', true],
    ['', 'a', false],
    ['**', 'anything', true],
    ['a.c', 'abc', false],
    ['(a+)+*', '(a+)+b', true],
    ['two\nlines*', 'two\nlines\nand more', true],
    ['*ä*', 'Märchen', true],
  ])('%j on %j: %s', (pattern, name, matches) => {
    expect(wildcard(pattern)(name)).toBe(matches)
  })

  it('says what a search that tries everything says', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 })
    fc.assert(
      fc.property(text, text, (pattern, name) => {
        expect(wildcard(pattern)(name)).toBe(matchesByTrying(pattern, name))
      }),
      { numRuns: 2000 },
    )
  })

  it('answers at once where trying everything would not end', () => {
    const { pattern, name } = starPattern(40, 5000)
    expect(wildcard(pattern)(name)).toBe(false)
    expect(wildcard(pattern)(`${name}b`)).toBe(true)
  })
})

function matchesByTrying(pattern: string, name: string): boolean {
  if (pattern === '') return name === ''
  if (pattern[0] !== '*') return name[0] === pattern[0] && matchesByTrying(pattern.slice(1), name.slice(1))
  for (let taken = 0; taken <= name.length; taken++) {
    if (matchesByTrying(pattern.slice(1), name.slice(taken))) return true
  }
  return false
}
