import { describe, expect, it } from 'vitest'
import { COMPACTION_BARS, compactionBars } from './compaction-day-bars'
import {
  type CompactionDayFacts,
  compactionDays,
  compactionDaysCsv,
  compactionDaysNote,
} from './compaction-days'

const at = (day: string, more: Partial<CompactionDayFacts> = {}): CompactionDayFacts => ({
  at: Date.parse(`${day}T12:00:00Z`),
  midTask: false,
  promptBefore: 100_000,
  promptAfter: 40_000,
  ...more,
})

const view = compactionDays(
  [
    at('2026-11-02'),
    at('2026-11-02', { midTask: true, promptAfter: 110_000 }),
    at('2026-11-04', { promptAfter: null }),
    at('2026-10-01'),
    { ...at('2026-11-03'), at: null },
  ],
  { from: '2026-11-01', to: '2026-11-04' },
)

describe('X1 compactions by day', () => {
  it('every day of the period has its place; what grew counts against what was freed', () => {
    expect(view.columns.map(({ day, count, midTask }) => [day.slice(-2), count, midTask])).toEqual([
      ['01', 0, 0],
      ['02', 2, 1],
      ['03', 0, 0],
      ['04', 1, 0],
    ])
    expect(view.columns[1]?.reclaimed).toBe(50_000)
  })

  it('a size that was not reported is unknown, and said to be', () => {
    expect(view.total).toEqual({ count: 3, midTask: 1, reclaimed: 50_000, unknown: 1 })
    expect(compactionDaysNote(view)).toContain(
      '3 compactions, 1 mid-task · 50k tokens reclaimed, 1 of unknown size',
    )
    expect(compactionDaysCsv(view).split('\n')[4]).toContain('2026-11-04,1,0,0,1')
  })

  it('bars begin at their lines, within the drawing, the mid-task part at the bottom', () => {
    const { rows } = compactionBars(view, 400)
    for (const { bars, ground } of rows)
      for (const bar of bars) {
        expect(bar.y).toBeGreaterThanOrEqual(0)
        expect(bar.y + bar.height).toBeLessThanOrEqual(ground + 1e-9)
        expect(bar.x + bar.width).toBeLessThanOrEqual(400)
      }
    const [low, high] = rows[0]?.bars ?? []
    expect([low?.tone, high?.tone]).toEqual(['mid-task', 'count'])
    expect((high?.y ?? 0) + (high?.height ?? 0)).toBeCloseTo(low?.y ?? -1)
    expect(rows[1]?.bars.map(({ key }) => key)).toEqual(['2026-11-02'])
    expect(rows.at(-1)?.ground).toBeLessThan(COMPACTION_BARS.height)
  })
})
