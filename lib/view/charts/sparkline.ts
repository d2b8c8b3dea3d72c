import { highestOf } from '../../core/lists/long-lists'
/** A small line as an SVG path: `M`/`L` runs, broken where a value is unknown. */
export type SparklineShape = {
  readonly path: string
  /** The value at the upper edge; 0 when there is nothing to draw. */
  readonly top: number
  /** Where the last known value is, when it is the last of all. */
  readonly last: { readonly x: number; readonly y: number } | null
  /** Height on the drawing of a value. */
  readonly y: (value: number) => number
}

/**
 * @param input.ceiling the value at the upper edge (the effective budget); null lets the largest value set it.
 * Values above the ceiling are at the edge. A lone value between two gaps is a dot-sized run.
 */
export function sparklinePath(input: {
  readonly values: readonly (number | null)[]
  readonly ceiling: number | null
  readonly width: number
  readonly height: number
}): SparklineShape {
  const { values, width, height } = input
  const known = values.filter((value): value is number => value !== null)
  const top = input.ceiling ?? (known.length === 0 ? 0 : highestOf(known, Number.NEGATIVE_INFINITY))
  const inner = height - 2
  const y = (value: number) =>
    top <= 0 ? height - 1 : round(1 + inner - (Math.min(value, top) / top) * inner)
  const step = values.length > 1 ? width / (values.length - 1) : 0
  let path = ''
  let open = false
  values.forEach((value, index) => {
    if (value === null) {
      open = false
      return
    }
    const x = round(index * step)
    path += open ? `L${x} ${y(value)}` : `M${x} ${y(value)}h0.01`
    open = true
  })
  const final = values.at(-1)
  const last = final == null ? null : { x: round((values.length - 1) * step), y: y(final) }
  return { path, top, last, y }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
