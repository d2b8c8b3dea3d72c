import { nice } from 'd3-array'
import { highestOf } from '../../core/lists/long-lists'
import { CATEGORIES, type Category } from '../../core/tokens/category'
import type { Tokens } from '../../core/units/units'
import { spacedOut, type Tick, tokenTicks } from '../charts/chart-axis'
import { dayLabel } from '../text/time'
import type { DaysView } from './days'

/** Where the bars are in the drawing, in pixels: the scale of tokens on the left, the days below. */
export const DAYS_HEIGHT = 240
export const DAYS_SCALE = 48
const TOP = 8
const BELOW = 30

/** Share of its day that is left free on either side of a bar. */
export const DAYS_GAP = 0.18

/** About so many lines above the one at 0. */
const LINES = 3
const LABEL_WIDTH = 44
const LABEL_GAP = 28

export type DayBars = {
  readonly layers: readonly {
    readonly day: string
    readonly category: Category
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
  }[]
  readonly lines: readonly (Tick & { readonly y: number })[]
  readonly labels: readonly { readonly x: number; readonly label: string }[]
  /** Of the line that bars are on. */
  readonly ground: number
}

/** The token scale of a period: from 0 to a round value that no day rises above. */
export function dayTicks(view: DaysView): Tick[] {
  const highest = highestOf(
    view.columns.map((column) => column.total),
    0,
  )
  return tokenTicks(nice(0, highest, LINES)[1], LINES)
}

/** Stacked bars, one per day, with a hair's breadth of surface between layers that are thick enough to spare one. */
export function dayBars(view: DaysView, width: number): DayBars {
  const ticks = dayTicks(view)
  const top = ticks.at(-1)?.value || 1
  const ground = DAYS_HEIGHT - BELOW
  const band = Math.max(0, width - DAYS_SCALE) / Math.max(1, view.columns.length)
  const free = band * (1 - 2 * DAYS_GAP)
  const bar = free > 1 ? Math.floor(free) : free
  const heightOf = (tokens: Tokens) => (tokens / top) * (ground - TOP)
  const layers = view.columns.flatMap((column, i) => {
    let below = ground
    return view.categories.flatMap((category) => {
      const thick = heightOf(column.categories[CATEGORIES.indexOf(category)] ?? 0)
      if (thick <= 0) return []
      below -= thick
      const gap = thick > 3 ? 1 : 0
      const x = DAYS_SCALE + (i + DAYS_GAP) * band
      return [{ day: column.day, category, x, y: below + gap, width: bar, height: thick - gap }]
    })
  })
  const labels = view.columns.map((column, i) => ({
    x: DAYS_SCALE + (i + 0.5) * band,
    width: LABEL_WIDTH,
    label: dayLabel(column.day),
  }))
  return {
    layers,
    lines: ticks.map((tick) => ({ ...tick, y: ground - heightOf(tick.value) })),
    labels: spacedOut(labels, LABEL_GAP),
    ground,
  }
}
