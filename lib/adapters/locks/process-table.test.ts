import { expect, it } from 'vitest'
import { elapsedMs } from './process-table'

it('M4 reads the age of a process as ps tells it', () => {
  expect(elapsedMs('00:07')).toBe(7_000)
  expect(elapsedMs('12:34')).toBe(754_000)
  expect(elapsedMs('02:00:01')).toBe(7_201_000)
  expect(elapsedMs('3-01:00:00')).toBe(262_800_000)
  expect(elapsedMs('')).toBeNull()
})
