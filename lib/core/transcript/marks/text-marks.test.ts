import { expect, it } from 'vitest'
import { fingerprintOf, fingerprintWith, marksOf } from './text-marks'

it.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['foobar', 0xbf9cf968],
])('the fingerprint of %j is its FNV-1a', (text, hash) => expect(fingerprintOf(text)).toBe(hash | 0))

it('a fingerprint goes on where another one ended, and is an integer that is kept in place', () => {
  expect(fingerprintWith(fingerprintOf('read '), 'a/b.ts')).toBe(fingerprintOf('read a/b.ts'))
  for (const text of ['', 'keel', 'a/b.ts', '船']) expect(fingerprintOf(text)).toBe(fingerprintOf(text) | 0)
})

it('marks have one shape, whatever there is of them', () => {
  const rules = [{ words: [1], begin: 'Never' }]
  expect(marksOf({})).toStrictEqual({ rules: undefined, summary: undefined, fetches: undefined })
  expect(marksOf({ rules })).toStrictEqual({ rules, summary: undefined, fetches: undefined })
})
