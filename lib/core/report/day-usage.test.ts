import { expect, it } from 'vitest'
import { addDays } from './day-usage'

const on = (day: string, input: number) => ({ day, calls: 1, input, output: 2, cacheRead: 3, cacheWrite: 4 })

it('the days of two sessions are one list, in order, each day once', () => {
  expect(addDays([on('2026-11-02', 10)], [on('2026-11-01', 5), on('2026-11-02', 7)])).toEqual([
    on('2026-11-01', 5),
    { day: '2026-11-02', calls: 2, input: 17, output: 4, cacheRead: 6, cacheWrite: 8 },
  ])
  expect(addDays([], [on('2026-11-01', 1), on('2026-11-01', 1)])).toHaveLength(1)
})
