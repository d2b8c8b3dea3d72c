import { expect, test } from 'vitest'
import { withFields } from './with-fields'

test('a copy has the fields of the object and the others, which come last or keep their places', () => {
  const one = { role: 'user', content: 'Berth 4.' }
  const copy = withFields(one, { content: 'Berth 5.', at: 3 })
  expect(Object.entries(copy)).toEqual([
    ['role', 'user'],
    ['content', 'Berth 5.'],
    ['at', 3],
  ])
  expect(one).toEqual({ role: 'user', content: 'Berth 4.' })
})

test('a field that is named as the prototype stays a field', () => {
  const hostile: object = JSON.parse('{"__proto__": {"isAdmin": true}}')
  const copy = withFields(hostile, { role: 'user' })
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"isAdmin":true},"role":"user"}')
})

test('what is kept under a symbol is copied as well', () => {
  const mark = Symbol('mark')
  expect(withFields({ [mark]: 1 }, { role: 'user' })[mark]).toBe(1)
})
