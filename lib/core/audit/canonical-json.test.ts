import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from './canonical-json'

test('the order of keys does not matter, and everything else does', () => {
  expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true })).toBe(
    '{"a":true,"b":[1,{"c":"x","d":null}]}',
  )
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]))
  expect(canonicalJson({ a: '1' })).not.toBe(canonicalJson({ a: 1 }))
  expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}')
})

test('it is JSON of the same value, for any value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value)
      // -0 is 0 in JSON.
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(canonicalJson(JSON.parse(text))).toBe(text)
    }),
  )
})
