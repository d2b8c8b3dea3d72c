import { describe, expect, it } from 'vitest'
import { isObject, jsonText, numberOf, parseObject, stringOf } from './json'

describe('fields that are not checked yet', () => {
  it.each<[unknown, boolean]>([
    [{}, true],
    [[], false],
    [null, false],
    ['x', false],
    [undefined, false],
  ])('%j is an object: %s', (value, is) => {
    expect(isObject(value)).toBe(is)
    expect(parseObject(JSON.stringify(value) ?? '')).toEqual(is ? value : null)
  })

  it('have no text where that is empty or none, and no number where that is not finite or none', () => {
    expect(['x', '', 5, null].map(stringOf)).toEqual(['x', undefined, undefined, undefined])
    expect([0, -1.5, Number.NaN, Number.POSITIVE_INFINITY, '5'].map(numberOf)).toEqual([
      ...[0, -1.5, undefined, undefined, undefined],
    ])
  })

  it('are measured as JSON, and are nothing where they cannot be written', () => {
    const ring: { self?: unknown } = {}
    ring.self = ring
    expect([{ a: 1 }, 'x', null, undefined, () => 1, ring].map(jsonText)).toEqual([
      ...['{"a":1}', '"x"', 'null', '', '', ''],
    ])
  })
})
