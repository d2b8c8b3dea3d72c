import fc from 'fast-check'
import { expect, test } from 'vitest'
import { saysTheSame } from './says-the-same'

test('property: a copy says the same, and a copy with one thing changed does not', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 1 }), (value, other) => {
      expect(saysTheSame(value, structuredClone(value))).toBe(true)
      expect(saysTheSame({ value, more: 1 }, { value })).toBe(false)
      expect(saysTheSame(value, other)).toBe(JSON.stringify(sorted(value)) === JSON.stringify(sorted(other)))
    }),
  )
})

/** Fields in the order of their names, and −0 as it is written. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : value
  const fields = Object.entries(value).map(([key, one]) => [key, sorted(one)] as const)
  return { fields: fields.sort(([a], [b]) => (a < b ? -1 : 1)) }
}

test('bytes, dates and addresses are compared by what they say, and undefined is no field', () => {
  expect(saysTheSame(new Uint8Array([1, 2]), new Uint8Array([1, 2]))).toBe(true)
  expect(saysTheSame(new Uint8Array([1, 2]), new Uint8Array([1, 3]))).toBe(false)
  expect(saysTheSame(new Uint8Array([1]), { 0: 1 })).toBe(false)
  expect(saysTheSame(new Date(5), new Date(5))).toBe(true)
  expect(saysTheSame(new Date(5), new Date(6))).toBe(false)
  expect(saysTheSame(new URL('http://a/'), new URL('http://a/'))).toBe(true)
  expect(saysTheSame(new URL('http://a/'), new URL('http://b/'))).toBe(false)
  expect(saysTheSame({ a: 1, b: undefined }, { a: 1 })).toBe(true)
  expect(saysTheSame({ a: 1 }, { a: 1, b: undefined })).toBe(true)
  expect(saysTheSame([], {})).toBe(false)
})

test('a text or a number says nothing of what an object does, whichever comes first', () => {
  for (const plain of [5, '', 'berth', true, null, undefined])
    for (const object of [{}, [], new Date(5), new URL('http://a/')]) {
      expect(saysTheSame(plain, object)).toBe(false)
      expect(saysTheSame(object, plain)).toBe(false)
    }
})

test('lists say the same item by item, and as many', () => {
  expect(saysTheSame([1, { a: 2 }], [1, { a: 2 }])).toBe(true)
  expect(saysTheSame([1, { a: 2 }], [1, { a: 3 }])).toBe(false)
  expect(saysTheSame([1, 2], [1])).toBe(false)
  expect(saysTheSame([1], [1, 2])).toBe(false)
  expect(saysTheSame([], { 0: 1 })).toBe(false)
  expect(saysTheSame({ 0: 1, length: 1 }, [1])).toBe(false)
  expect(saysTheSame(new Uint8Array([1, 2]), new Uint8Array([1]))).toBe(false)
  expect(saysTheSame(new Uint8Array([1]), new Uint8Array([1, 2]))).toBe(false)
  expect(saysTheSame({ a: 1 }, { a: 1, more: 1 })).toBe(false)
  expect(saysTheSame(new Uint8Array(new Uint8Array([9, 1, 2]).buffer, 1), new Uint8Array([1, 2]))).toBe(true)
})
