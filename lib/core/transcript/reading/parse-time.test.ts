import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseTime } from './parse-time'

it('reads every time as Date.parse does', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => {
      expect(parseTime(date.toISOString())).toBe(date.getTime())
    }),
  )
})

it('reads what only looks like a time as Date.parse does', () => {
  const character = fc.constantFrom(...'0123456789-:.TZ+ 9')
  fc.assert(
    fc.property(fc.nat(23), character, fc.nat(23), character, (i, one, j, other) => {
      const letters = [...'2026-11-20T12:34:56.789Z']
      letters[i] = one
      letters[j] = other
      const text = letters.join('')
      expect(parseTime(text)).toBe(Date.parse(text))
    }),
    { numRuns: 2_000 },
  )
})

it.each([
  '2026-11-20',
  '2026-11-20T12:00:00+02:00',
  '2026-02-30T12:00:00.000Z',
  '2026-13-01T12:00:00.000Z',
  '2026-11-20T24:00:00.000Z',
  '',
  'soon',
])('leaves %j to Date.parse', (text) => {
  expect(parseTime(text)).toBe(Date.parse(text))
})
