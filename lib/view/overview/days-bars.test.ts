import { describe, expect, it } from 'vitest'
import { CATEGORIES, type Category } from '../../core/tokens/category'
import type { DaysView } from './days'
import { DAYS_SCALE, dayBars, dayTicks } from './days-bars'

/** A period of days that hold these tokens of user and of tool results. */
function period(days: readonly (readonly [user: number, results: number])[]): DaysView {
  const held: readonly Category[] = ['user', 'tool-result']
  const columns = days.map((amounts, i) => ({
    day: `2026-11-${String(i + 1).padStart(2, '0')}`,
    calls: 1,
    categories: CATEGORIES.map((category) => amounts[held.indexOf(category)] ?? 0),
    total: amounts[0] + amounts[1],
  }))
  return {
    from: '2026-11-01',
    to: '2026-11-30',
    columns,
    categories: held,
    totals: CATEGORIES.map(() => 0),
  }
}

describe('X18 bars by day', () => {
  const view = period([
    [100, 300],
    [0, 0],
    [50, 150],
  ])
  const bars = dayBars(view, 648)

  it('stack without overlap, as thick as their tokens, from the ground up', () => {
    const [user, results] = bars.layers.filter(({ day }) => day === '2026-11-01')
    expect(results?.height).toBeGreaterThan(2.9 * (user?.height ?? 0))
    expect((user?.y ?? 0) + (user?.height ?? 0)).toBeCloseTo(bars.ground)
    expect((results?.y ?? 0) + (results?.height ?? 0)).toBeLessThanOrEqual((user?.y ?? 0) + 1e-9)
  })

  it('leave a day without a call empty', () => {
    expect(bars.layers.map(({ day }) => day)).not.toContain('2026-11-02')
  })

  it('are in the middle of their days, beside the scale', () => {
    const [first] = bars.layers
    expect((first?.x ?? 0) + (first?.width ?? 0) / 2).toBeCloseTo(DAYS_SCALE + 100, 0)
    expect(bars.labels.map(({ label }) => label)).toEqual(['1 Nov', '2 Nov', '3 Nov'])
  })

  it('have a scale that begins at 0 and that no day rises above', () => {
    for (const top of [1, 7, 333, 12_345, 9_999_999]) {
      const values = dayTicks(period([[top, 0]])).map(({ value }) => value)
      expect(values[0]).toBe(0)
      expect(values.at(-1)).toBeGreaterThanOrEqual(top)
      expect(values.length).toBeLessThanOrEqual(6)
    }
  })

  it('name as many days as there is room for', () => {
    const many = period(Array.from({ length: 30 }, () => [1, 1] as const))
    expect(dayBars(many, 360).labels.length).toBeLessThan(6)
  })
})
