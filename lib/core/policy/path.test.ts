import { describe, expect, it } from 'vitest'
import { dottedKey, valueAtKeys } from './path'

describe('a path of keys', () => {
  it('has a dot before a key and none before a place in a list', () => {
    expect(dottedKey(['overrides', '[0]', 'policy', 'logs'])).toBe('overrides[0].policy.logs')
    expect(dottedKey(['[1]', 'a'])).toBe('[1].a')
    expect(dottedKey([])).toBe('')
  })

  it('leads to a value of a map, and to nothing through a list, a text or an inherited key', () => {
    const value = { a: { b: 1 }, list: ['x'], nothing: null }
    expect(valueAtKeys(value, ['a', 'b'])).toBe(1)
    expect(valueAtKeys(value, [])).toBe(value)
    for (const keys of [
      ['a', 'c'],
      ['list', '0'],
      ['a', 'b', 'c'],
      ['toString'],
      ['no', 'a'],
      ['nothing', 'a'],
    ])
      expect(valueAtKeys(value, keys), keys.join('.')).toBeUndefined()
  })
})
