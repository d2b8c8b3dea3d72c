import { describe, expect, it } from 'vitest'
import { CATEGORIES } from '../../core/tokens/category'
import type { DaySum } from '../../core/tokens/day-sum'
import { daysBefore, daysCsv, daysView, modelsCsv, modelUsage, usageSums } from './days'

const facts = (values: Partial<DaySum>): DaySum => ({
  day: '2026-07-02',
  model: 'a',
  calls: 1,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costUsd: null,
  costUnknownCalls: 0,
  listUsd: null,
  unpriced: 0,
  categories: CATEGORIES.map(() => 0),
  ...values,
})
const only = (category: (typeof CATEGORIES)[number], tokens: number) =>
  CATEGORIES.map((name) => (name === category ? tokens : 0))

describe('X6: tokens by day', () => {
  const view = daysView({
    facts: [
      facts({ categories: only('user', 10) }),
      facts({ model: 'b', calls: 2, categories: only('residual', 5) }),
    ],
    from: '2026-06-30',
    to: '2026-07-03',
  })

  it('has every day of the period, and adds models up', () => {
    expect(view.columns.map(({ day, calls, total }) => [day, calls, total])).toEqual([
      ['2026-06-30', 0, 0],
      ['2026-07-01', 0, 0],
      ['2026-07-02', 3, 15],
      ['2026-07-03', 0, 0],
    ])
  })

  it('lists only categories that hold something, in stacking order', () => {
    expect(view.categories).toEqual(['user', 'residual'])
    expect(daysCsv(view)).toContain('day (UTC),calls,tokens sent,user,residual\r\n')
    expect(daysCsv(view)).toContain('2026-07-02,3,15,10,5\r\n')
  })

  it('counts days back over months', () => {
    expect(daysBefore('2026-03-01', 1)).toBe('2026-02-28')
  })
})

describe('X6: usage by model', () => {
  const rows = [
    facts({ inputTokens: 10, cacheReadTokens: 80, cacheWriteTokens: 10, outputTokens: 7, costUsd: 1 }),
    facts({ day: '2026-07-03', inputTokens: 100, costUnknownCalls: 1, unpriced: 1 }),
    facts({ model: 'b', inputTokens: 1000, costUsd: 2 }),
  ]

  it('sums to what providers reported, model by model and over all', () => {
    const models = modelUsage(rows)
    expect(models.map(({ model, sent }) => [model, sent])).toEqual([
      ['b', 1000],
      ['a', 200],
    ])
    expect(models[1]).toMatchObject({ cacheHit: 0.4, cost: { usd: 1, calls: 2, unknownCalls: 1 } })
    const total = usageSums(rows)
    expect(total.sent + total.output).toBe(1207)
    expect(total.cost).toEqual({ usd: 3, listUsd: null, calls: 3, unknownCalls: 1, unpriced: 1 })
  })

  it('has the dearest model first, at list prices where nothing was recorded; without a price last', () => {
    const models = modelUsage([
      facts({ model: 'unpriced', inputTokens: 9_000, costUnknownCalls: 1, unpriced: 1 }),
      facts({ model: 'recorded', inputTokens: 10, costUsd: 1 }),
      facts({ model: 'listed', inputTokens: 20, costUnknownCalls: 1, listUsd: 2 }),
    ])
    expect(models.map(({ model }) => model)).toEqual(['listed', 'recorded', 'unpriced'])
  })

  it('knows no cache hit without a prompt', () => {
    expect(usageSums([]).cacheHit).toBeNull()
  })

  it('leaves an unknown cost empty in the export', () => {
    expect(modelsCsv(modelUsage([facts({ costUnknownCalls: 1, unpriced: 1 })]))).toContain(
      'a,1,0,0,0,0,,1,,1\r\n',
    )
  })
})
