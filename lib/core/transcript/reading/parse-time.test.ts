import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { parseTime, timeOf } from './parse-time'

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

it('asks Date.parse once for all times of a day', () => {
  const times = ['00:00:00.000', '09:09:09.099', '10:10:10.010', '23:59:59.999'].map(
    (time) => `1999-12-31T${time}Z`,
  )
  const expected = times.map((time) => Date.parse(time))
  parseTime('2000-01-01T00:00:00.000Z')
  const spy = vi.spyOn(Date, 'parse')
  try {
    expect(times.map(parseTime)).toEqual(expected)
    expect(spy.mock.calls).toEqual([['1999-12-31']])
  } finally {
    spy.mockRestore()
  }
})

it.each([
  '2026-11-20',
  '2026-11-20T12:00:00+02:00',
  '2026-02-30T12:00:00.000Z',
  '2026-13-01T12:00:00.000Z',
  '2026-11-20T24:00:00.000Z',
  '2026-11-20T23:59:59.999Z',
  '2026-11-20T25:00:00.000Z',
  '2026-11-20T00:60:00.000Z',
  '2026-11-20T00:00:60.000Z',
  '2026-11-20T00-00:00.000Z',
  '2026-11-20T00:00-00.000Z',
  '2026-11-20T00:00:00-000Z',
  '2026-11-20T00:00:00.0:0Z',
  '2026-11-20T00:00:00.00/Z',
  '2026-11-20T00:00:00.00:Z',
  '2026-11-20T/9:00:00.000Z',
  '2026-11-20T1/:00:00.000Z',
  '2026-11-20T1::00:00.000Z',
  '2026-11-20T12:34:56.789Z+',
  '2026/11-20T00:00:00.000Z',
  '2026-11/20T00:00:00.000Z',
  '',
  'soon',
])('leaves %j to Date.parse', (text) => {
  expect(parseTime(text)).toBe(Date.parse(text))
})

it.each<[unknown, number | null]>([
  ['2026-11-20T12:34:56.789Z', Date.UTC(2026, 10, 20, 12, 34, 56, 789)],
  ['soon', null],
  [0, 0],
  [-8.64e15, -8.64e15],
  [8.64e15, 8.64e15],
  [8.64e15 + 1, null],
  [Number.NaN, null],
  [true, null],
])('the time of %j is %j', (value, ms) => {
  expect(timeOf(value)).toBe(ms)
})
