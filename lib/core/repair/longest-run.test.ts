import fc from 'fast-check'
import { expect, it } from 'vitest'
import { longestRun } from './longest-run'

/** Length of the longest growing run, by trying each number as its end. */
function longest(numbers: readonly number[]): number {
  const ending = numbers.map(() => 1)
  numbers.forEach((number, at) => {
    for (let i = 0; i < at; i++)
      if ((numbers[i] ?? 0) < number) ending[at] = Math.max(ending[at] ?? 1, (ending[i] ?? 0) + 1)
  })
  return Math.max(0, ...ending)
}

it('the run that stays is growing, and no longer one exists', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: -50, max: 50 }), { maxLength: 14 }), (numbers) => {
      const run = longestRun(numbers)
      const stays = numbers.filter((_, place) => run.has(place))
      expect(stays).toEqual(stays.toSorted((a, b) => a - b))
      expect(run.size).toBe(longest(numbers))
    }),
    { numRuns: 500 },
  )
  expect([...longestRun([])]).toEqual([])
  expect([...longestRun([5])]).toEqual([0])
  expect([...longestRun([2, 1, 3])].sort()).toEqual([1, 2])
})
