import { expect, it } from 'vitest'
import { append, highestOf, lowestOf } from './long-lists'

const LONG = Array.from({ length: 500_000 }, (_, i) => i)

it('lists as long as a long transcript are appended and looked through', () => {
  const list = [-1]
  append(list, LONG)
  expect(list).toHaveLength(500_001)
  expect(list.at(-1)).toBe(499_999)
  expect(highestOf(LONG, 3)).toBe(499_999)
  expect(lowestOf(LONG, 3)).toBe(0)
})

it('bounds count where nothing goes beyond them', () => {
  expect(highestOf([], 7)).toBe(7)
  expect(highestOf([5, 6], 7)).toBe(7)
  expect(lowestOf([8], 7)).toBe(7)
})
