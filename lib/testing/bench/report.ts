import { renderTable } from '../../cli/print/table'

/** One figure of a run beside what it must not exceed; `limit` null is for figures that are only shown. */
export type Measurement = {
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly limit: number | null
  /** What the figure was made of, e.g. `812 ms ÷ 395 ms`. */
  readonly note?: string
}

/** A part of the bench; `name` chooses it on the command line. */
export type Bench = {
  readonly name: string
  readonly title: string
  run(context: BenchContext): Promise<readonly Measurement[]>
}

export type BenchContext = {
  /** An empty folder for this run. */
  readonly folder: string
  /** The checkout. */
  readonly root: string
  readonly log: (text: string) => void
}

export function isWithin({ value, limit }: Measurement): boolean {
  return limit === null || value <= limit
}

/** A table of figures, each beside its limit. */
export function formatMeasurements(measurements: readonly Measurement[]): string {
  return renderTable(measurements, [
    { title: 'FIGURE', cell: ({ what }) => what },
    { title: 'MEASURED', cell: ({ value, unit }) => `${round(value)} ${unit}`.trim(), align: 'right' },
    {
      title: 'LIMIT',
      cell: ({ limit, unit }) => (limit === null ? '–' : `${limit} ${unit}`.trim()),
      align: 'right',
    },
    { title: '', cell: (m) => (m.limit === null ? '' : isWithin(m) ? 'ok' : 'OVER') },
    { title: '', cell: ({ note }) => note ?? '' },
  ])
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

/** The middle one of several values. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** @param q from 0 to 1; nearest rank */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * q) - 1)] ?? Number.NaN
}
