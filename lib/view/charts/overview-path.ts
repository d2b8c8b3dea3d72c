import { type FrameSeries, peakOf } from './frames-series'

/** The course of the total over a whole session as one small filled path; gaps stay empty. */
export function overviewPath(
  series: FrameSeries,
  size: { readonly width: number; readonly height: number },
): string {
  const peak = peakOf(series) ?? 0
  const columns = series.first.length
  if (peak <= 0) return ''
  const inner = size.height - 2
  let path = ''
  series.max.forEach((value, column) => {
    if (value === null) return
    const left = Math.round((column * size.width * 10) / columns) / 10
    const right = Math.round(((column + 1) * size.width * 10) / columns) / 10
    const y = Math.round((size.height - (value / peak) * inner) * 10) / 10
    path += `M${left} ${size.height}V${y}H${right}V${size.height}Z`
  })
  return path
}
