'use client'

import { useQueries } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { CategorySwatch } from '@/components/charts/category-swatch'
import { classes } from '@/components/ui/classes'
import { ErrorState } from '@/components/ui/error-state'
import { Skeleton } from '@/components/ui/skeleton'
import { CATEGORIES, type Category } from '@/lib/core/tokens/category'
import { CATEGORY_VIEWS } from '@/lib/view/charts/category'
import { type FrameSeries, hasCuts } from '@/lib/view/charts/frames-series'
import { type CallColumns, columnRow, unseenAt } from '@/lib/view/session/call-columns'
import { pageOfCall } from '@/lib/view/session/scrub'
import { formatCount } from '@/lib/view/text/format'
import { absoluteTimeUtc } from '@/lib/view/text/time'
import { callPageQuery } from './session-queries'
import { SpaceRows } from './space-rows'

const ROW = 28

/** The calls of the chart as a table, one row each, newest last, also where the chart has several to a column. */
export function FramesTable({
  id,
  series,
  call,
  onScrub,
}: {
  id: string
  series: FrameSeries
  call: number
  onScrub: (call: number) => void
}) {
  const area = useRef<HTMLElement>(null)
  const { from, to } = series
  const rows = useVirtualizer({
    count: Math.max(0, to - from + 1),
    getScrollElement: () => area.current,
    estimateSize: () => ROW,
    overscan: 12,
    initialOffset: Math.max(0, (call - from - 5) * ROW),
  })
  const items = rows.getVirtualItems()
  const { columnsOf, loaded, error } = useCallPages(
    id,
    items.map(({ index }) => from + index),
  )
  const held = CATEGORIES.filter((_, category) =>
    [series, ...loaded].some(({ tokens }) => tokens[category]?.some((amount) => amount > 0)),
  )
  const cuts = hasCuts(series) || loaded.some(({ seenTokens }) => seenTokens.some((seen) => seen !== null))
  const before = items[0]?.start ?? 0
  const after = rows.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <section
      ref={area}
      aria-label="Tokens by category, call by call"
      className="relative max-h-[384px] overflow-auto"
    >
      {error && <ErrorState title="A part of this table could not be read" detail={error.message} />}
      <table className="w-full border-collapse text-table" aria-rowcount={to - from + 2}>
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
            {cuts && (
              <th scope="col" className="px-2 py-1.5 text-right font-medium whitespace-nowrap">
                Not seen
              </th>
            )}
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
              n={from + index}
              index={index}
              columns={columnsOf(from + index)}
              held={held}
              cuts={cuts}
              chosen={from + index === call}
              onScrub={onScrub}
            />
          ))}
        </tbody>
        <SpaceRows height={after} />
      </table>
    </section>
  )
}

/** The pages that show these calls. */
function useCallPages(id: string, calls: readonly number[]) {
  const first = pageOfCall(calls[0] ?? 1)
  const last = pageOfCall(calls.at(-1) ?? 1)
  const pages = Array.from({ length: calls.length === 0 ? 0 : last - first + 1 }, (_, i) => first + i)
  const results = useQueries({ queries: pages.map((page) => callPageQuery(id, page)) })
  return {
    columnsOf: (n: number): CallColumns | undefined => results[pageOfCall(n) - first]?.data,
    loaded: results.flatMap(({ data }) => (data === undefined ? [] : [data])),
    error: results.find((result) => result.isError)?.error ?? null,
  }
}

function FrameRow({
  n,
  index,
  columns,
  held,
  cuts,
  chosen,
  onScrub,
}: {
  n: number
  index: number
  /** The page of the call; undefined while it is on its way. */
  columns: CallColumns | undefined
  held: readonly Category[]
  /** Whether there is a column for what the provider did not see. */
  cuts: boolean
  chosen: boolean
  onScrub: (call: number) => void
}) {
  const row = columns === undefined ? null : columnRow(columns, n)
  return (
    <tr
      aria-rowindex={index + 2}
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
      {columns === undefined || row === null ? (
        <td colSpan={held.length + (cuts ? 3 : 2)} className="px-2">
          <Skeleton className="h-3 w-full" />
        </td>
      ) : (
        <Cells columns={columns} row={row} held={held} cuts={cuts} />
      )}
    </tr>
  )
}

function Cells({
  columns,
  row,
  held,
  cuts,
}: {
  columns: CallColumns
  row: number
  held: readonly Category[]
  cuts: boolean
}) {
  const total = columns.total[row] ?? null
  const at = columns.at[row] ?? null
  return (
    <>
      <td className="tnum px-2 text-label whitespace-nowrap text-muted">
        {at === null ? '?' : absoluteTimeUtc(at)}
      </td>
      <td className="tnum px-2 text-right whitespace-nowrap">
        {total === null ? '?' : `${formatCount(total)}${markOf(columns.basis[row])}`}
      </td>
      {cuts && <td className="tnum px-2 text-right whitespace-nowrap">{unseenText(columns, row)}</td>}
      {held.map((category) => (
        <td key={category} className="tnum px-2 text-right whitespace-nowrap last:pr-4">
          {total === null ? '?' : amountText(columns, category, row)}
        </td>
      ))}
    </>
  )
}

function amountText(columns: CallColumns, category: Category, row: number): string {
  const index = CATEGORIES.indexOf(category)
  return `${formatCount(columns.tokens[index]?.[row] ?? 0)}${markOf(columns.bases[row]?.[index])}`
}

/** What was sent above what the provider saw; a dash where it is not known to have cut the prompt. */
function unseenText(columns: CallColumns, row: number): string {
  const unseen = unseenAt(columns, row)
  return unseen === null ? '–' : `${formatCount(unseen)}${markOf(columns.basis[row])}`
}

/** `≈` after an estimated amount; nothing after a measured one, or where there is none. */
function markOf(basis: string | undefined): string {
  return basis === 'e' ? '\u202f≈' : ''
}
