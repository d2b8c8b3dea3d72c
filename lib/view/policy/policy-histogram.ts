import { formatCount, formatPercent, formatQuantity } from '../text/format'
import { BARS, type LineFills } from './policy-fills'

type HistogramBar = {
  readonly x: number
  readonly width: number
  readonly y: number
  readonly height: number
  readonly calls: number
  /** `50–51 %: 1 204 calls`. */
  readonly label: string
}

export type HistogramView = {
  readonly bars: readonly HistogramBar[]
  readonly yTicks: readonly { readonly y: number; readonly label: string }[]
  readonly xTicks: readonly { readonly x: number; readonly label: string }[]
}

/**
 * Calls by fill, a bar for each per cent of the window. Heights grow with the square root of the calls: most calls are
 * made in near-empty windows, and the few in full ones are what thresholds are about.
 */
export function fillHistogram(fills: LineFills, width: number, height: number): HistogramView {
  const most = Math.max(0, ...fills.bars)
  const scale = (calls: number) => (most === 0 ? 0 : Math.sqrt(calls / most) * height)
  const step = width / (BARS - 1)
  const bars = fills.bars.flatMap((calls, i): HistogramBar[] => {
    if (calls === 0) return []
    const over = i === BARS - 1
    const size = Math.max(1, scale(calls))
    return [
      {
        // What is at or above the window is on its right edge.
        x: over ? width - 2 : i * step,
        width: over ? 4 : Math.max(1, step - 1),
        y: height - size,
        height: size,
        calls,
        label: `${over ? 'At the window or above' : `${i}–${i + 1}\u202f%`}: ${formatQuantity(calls, 'call')}`,
      },
    ]
  })
  return {
    bars,
    yTicks: roundTicks(most).map((calls) => ({ y: height - scale(calls), label: formatCount(calls) })),
    xTicks: [0, 0.25, 0.5, 0.75, 1].map((share) => ({ x: share * width, label: formatPercent(share) })),
  }
}

/** The highest round number below the most calls, and a tenth of it. */
function roundTicks(most: number): number[] {
  if (most < 2) return most === 1 ? [1] : []
  const power = 10 ** Math.floor(Math.log10(most))
  const high = Math.floor(most / power) * power
  return high >= 10 ? [high, Math.round(high / 5)] : [high]
}
