import fc from 'fast-check'
import { expect, test } from 'vitest'
import { orderTimes } from './order-times'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const MINUTE = 60_000

test('H2: without any time the newest message is of now, and each before it is older', () => {
  const { times, guessed } = orderTimes([null, null, null], NOW)
  expect(guessed).toBe(3)
  expect(times.map((time) => (NOW - time) / MINUTE)).toEqual([10, 5, 0])
  expect(orderTimes([null, null], 0).times).toEqual([-5 * MINUTE, 0])
})

test('H2: what is known stays, and says how old its neighbours are', () => {
  const known = [NOW - 60 * MINUTE, null, NOW - 58 * MINUTE, null]
  expect(orderTimes(known, NOW).times.map((time) => (NOW - time) / MINUTE)).toEqual([60, 59, 58, 0])
  expect(orderTimes([null, NOW - 60 * MINUTE], NOW).times.map((time) => (NOW - time) / MINUTE)).toEqual([
    65, 60,
  ])
  expect(orderTimes([NOW, NOW], NOW)).toEqual({ times: [NOW, NOW], guessed: 0 })
  expect(orderTimes([], NOW)).toEqual({ times: [], guessed: 0 })
})

test.each<[string, readonly (number | null)[], readonly number[]]>([
  // Ages in minutes: what is known, and what comes of it.
  ['at even steps between two that are near', [6, null, null, 0], [6, 4, 2, 0]],
  ['five minutes apart before the younger of two that are far', [60, null, null, 30], [60, 40, 35, 30]],
  ['five minutes apart before the first that is known', [null, null, 60], [70, 65, 60]],
  ['up to now behind the last that is known', [4, null, null], [4, 2, 0]],
  ['five minutes apart where that was long ago', [60, null, null], [60, 5, 0]],
  ['none newer than the next where the clock went back', [10, null, 20], [10, 20, 20]],
  ['as new as one that is said to be of the future', [-10, null], [-10, -10]],
  ['up to now behind the last that is known, wherever that is', [null, 4, null, null], [9, 4, 2, 0]],
  ['each gap by itself', [null, 8, null, 4, null], [13, 8, 6, 4, 0]],
])('H2: guesses lie %s', (_what, known, ages) => {
  const { times, guessed } = orderTimes(
    known.map((age) => (age === null ? null : NOW - age * MINUTE)),
    NOW,
  )
  expect(times.map((time) => (NOW - time) / MINUTE)).toEqual(ages)
  expect(guessed).toBe(known.filter((age) => age === null).length)
})

test('H2: whatever is known, a guess never makes an older message newer than the one after it', () => {
  const rising = fc.array(fc.option(fc.nat(1_000)), { maxLength: 30 }).map((gaps) => {
    let at = NOW - 1e6
    return gaps.map((gap) => {
      at += gap ?? 0
      return gap === null ? null : Math.min(at, NOW)
    })
  })
  fc.assert(
    fc.property(rising, (known) => {
      const { times } = orderTimes(known, NOW)
      expect(times).toHaveLength(known.length)
      for (let i = 1; i < times.length; i++) expect(times[i]).toBeGreaterThanOrEqual(times[i - 1] ?? Infinity)
      expect(times.every((time, i) => known[i] === null || known[i] === time)).toBe(true)
    }),
  )
})
