import { highestOf } from '../../core/lists/long-lists'
import type { CutoffPoint } from '../../core/logs/advise-cutoff'
import { tokenTicks } from '../charts/chart-axis'
import type { PlotTick } from './activity-charts'

/** The curve over cut-offs as two steps on top of each other, in pixels from the upper left corner. */
export function curvePlot(curve: readonly CutoffPoint[], width: number, height: number) {
  const last = curve.at(-1)?.cutoff ?? 1
  const most = highestOf(
    curve.map(({ dropped }) => dropped),
    1,
  )
  const yOf = (value: number) => height - (value / most) * height
  const xOf = (cutoff: number) => (Math.min(cutoff, last) / last) * width
  const area = (of: (point: CutoffPoint) => number) => {
    const steps = curve.map(
      (point, i) =>
        `${i === 0 ? 'M' : 'H'}${round(xOf(point.cutoff))}${i === 0 ? ` ${height}` : ''}V${round(yOf(of(point)))}`,
    )
    return `${steps.join('')}H${round(width)}V${height}Z`
  }
  const yTicks: PlotTick[] = tokenTicks(most, 3).map((tick) => ({ ...tick, at: yOf(tick.value) }))
  return {
    dropped: area(({ dropped }) => dropped),
    against: area(({ against }) => against),
    xOf,
    yTicks: yTicks.filter(({ value }) => value <= most),
    xTicks: Array.from({ length: 6 }, (_, i) => ({
      label: ((last * i) / 5).toFixed(2),
      at: (width * i) / 5,
    })),
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
