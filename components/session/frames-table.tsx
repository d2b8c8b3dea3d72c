'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { CategorySwatch } from '@/components/ui/category-swatch'
import { classes } from '@/components/ui/classes'
import { CATEGORIES, type Category } from '@/lib/core/tokens/category'
import { CATEGORY_VIEWS } from '@/lib/view/category'
import { formatCount } from '@/lib/view/format'
import { columnOf, type FrameSeries, markOf } from '@/lib/view/frames-series'
import { absoluteTimeUtc } from '@/lib/view/time'
import { SpaceRows } from './space-rows'

const ROW = 28

/** The chart of frames as a table: the same columns, one row each, newest last. Only what is on screen is rendered. */
export function FramesTable({
  series,
  call,
  onScrub,
}: {
  series: FrameSeries
  call: number
  onScrub: (call: number) => void
}) {
  const area = useRef<HTMLElement>(null)
  const chosen = columnOf(series, call)
  const rows = useVirtualizer({
    count: series.drawn.length,
    getScrollElement: () => area.current,
    estimateSize: () => ROW,
    overscan: 12,
    initialOffset: Math.max(0, ((chosen ?? 0) - 5) * ROW),
  })
  const held = CATEGORIES.filter((_, index) => series.tokens[index]?.some((tokens) => tokens > 0))
  const items = rows.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = rows.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <section
      ref={area}
      aria-label="Tokens by category, call by call"
      className="relative max-h-[384px] overflow-auto"
    >
      <table className="w-full border-collapse text-table" aria-rowcount={series.drawn.length + 1}>
        <caption className="sr-only">Tokens by category, call by call</caption>
        <thead className="sticky top-0 z-1 bg-surface">
          <tr className="text-label text-muted">
            <th scope="col" className="px-2 py-1.5 pl-4 text-right font-medium">
              Call
            </th>
            <th scope="col" className="px-2 py-1.5 text-left font-medium">
              Time
            </th>
            <th scope="col" className="px-2 py-1.5 text-right font-medium">
              Total
            </th>
            {held.map((category) => (
              <th
                key={category}
                scope="col"
                className="px-2 py-1.5 text-right font-medium whitespace-nowrap last:pr-4"
              >
                <CategorySwatch category={category} size={10} /> {CATEGORY_VIEWS[category].label}
              </th>
            ))}
          </tr>
        </thead>
        <SpaceRows height={before} />
        <tbody>
          {items.map(({ index }) => (
            <FrameRow
              key={index}
              series={series}
              column={index}
              held={held}
              chosen={index === chosen}
              onScrub={onScrub}
            />
          ))}
        </tbody>
        <SpaceRows height={after} />
      </table>
    </section>
  )
}

function FrameRow({
  series,
  column,
  held,
  chosen,
  onScrub,
}: {
  series: FrameSeries
  column: number
  held: readonly Category[]
  chosen: boolean
  onScrub: (call: number) => void
}) {
  const n = series.drawn[column] ?? 0
  const total = series.total[column] ?? null
  const at = series.at[column] ?? null
  return (
    <tr
      aria-rowindex={column + 2}
      className={classes('h-7 border-t border-line', chosen && 'bg-accent-soft')}
      data-call={n}
    >
      <th scope="row" className="tnum px-2 pl-4 text-right font-normal">
        <button
          type="button"
          className="text-accent hover:underline"
          aria-label={`Choose call ${n}`}
          aria-current={chosen || undefined}
          onClick={() => onScrub(n)}
        >
          {formatCount(n)}
        </button>
      </th>
      <td className="tnum px-2 text-label whitespace-nowrap text-muted">
        {at === null ? '?' : absoluteTimeUtc(at)}
      </td>
      <td className="tnum px-2 text-right whitespace-nowrap">
        {total === null ? '?' : `${formatCount(total)}${series.basis[column] === 'e' ? '\u202f≈' : ''}`}
      </td>
      {held.map((category) => (
        <td key={category} className="tnum px-2 text-right whitespace-nowrap last:pr-4">
          {total === null ? '?' : amountText(series, category, column)}
        </td>
      ))}
    </tr>
  )
}

function amountText(series: FrameSeries, category: Category, column: number): string {
  const index = CATEGORIES.indexOf(category)
  return `${formatCount(series.tokens[index]?.[column] ?? 0)}${markOf(series, index, column)}`
}
