'use client'

import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ErrorState } from '@/components/ui/error-state'
import { SearchGlyph } from '@/components/ui/glyphs'
import { LoadingNote, Skeleton } from '@/components/ui/skeleton'
import { scrollRegion } from '@/components/ui/table'
import { formatQuantity } from '@/lib/view/text/format'
import { SpaceRows } from './space-rows'
import { usePages } from './use-pages'

/** Pixels: two lines. */
const ROW = 56
const LOADING_ROWS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'] as const

/** What one row shows: two lines of text, an amount, and the way to the entry behind it. */
export type ChunkCells = {
  readonly head: ReactNode
  /** Why it is as it is; cut to one line, and whole when pointed at. */
  readonly why: string
  readonly amount: ReactNode
  /** null: it represents no single entry. */
  readonly seq: number | null
  readonly line: number | null
  readonly data: { readonly [name: `data-${string}`]: string }
}

/** What a list of chunks is about: a session, the knobs it is planned with, and the decision it is narrowed to. */
export type ListedChunks<Knobs, Action> = {
  readonly id: string
  readonly knobs: Knobs
  readonly action: Action | null
  readonly onAction: (action: Action | null) => void
  /** Opens the source of an entry. */
  readonly onOpen: (seq: number) => void
}

type RowPage<Row> = { readonly total: number; readonly rows: readonly Row[] }

/** What a plan or a preview says of every chunk of a context, in its order, windowed and read page by page. */
export function ChunkCard<Row, Action extends string, Key extends QueryKey>({
  title,
  noun,
  action,
  words,
  onAction,
  label,
  testId,
  columns: [first, second],
  amountWidth,
  pageRows,
  query,
  cells,
  empty = null,
  onOpen,
}: {
  title: string
  /** What is counted, e.g. `chunk`. */
  noun: string
  /** The decision that the list is narrowed to; null: none. */
  action: Action | null
  words: { readonly [A in Action]: { readonly label: string } }
  onAction: (action: Action | null) => void
  label: string
  testId: string
  /** Headings of text and amount, for those who do not see them. */
  columns: readonly [string, string]
  amountWidth: string
  /** Rows of one page. */
  pageRows: number
  query: (page: number) => UseQueryOptions<RowPage<Row>, Error, RowPage<Row>, Key>
  cells: (row: Row) => ChunkCells
  /** Shown in the place of the list when it is empty. */
  empty?: ReactNode
  /** Opens the source of an entry. */
  onOpen: (seq: number) => void
}) {
  const area = useRef<HTMLElement>(null)
  const begin = useQuery(query(0))
  const total = begin.data?.total ?? 0
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => area.current,
    estimateSize: () => ROW,
    overscan: 8,
  })
  const items = rows.getVirtualItems()
  const { rowAt, error } = usePages({ items, pageRows, query })
  const problem = begin.error ?? error
  const only = action === null ? null : words[action].label.toLowerCase()
  const counted = `${formatQuantity(total, noun)}${only === null ? '' : `, ${only}`}, in the order of the context`
  return (
    <Card
      flush
      title={title}
      note={begin.data === undefined ? 'in the order of the context' : counted}
      aside={
        only !== null && (
          <Button kind="quiet" onClick={() => onAction(null)}>
            Show all
          </Button>
        )
      }
    >
      {problem && <ErrorState title="The list could not be read" detail={problem.message} />}
      {begin.data !== undefined && total === 0 && empty !== null ? (
        empty
      ) : (
        <section
          ref={area}
          {...scrollRegion(label)}
          data-testid={testId}
          className={`relative overflow-y-auto overscroll-contain ${begin.isError ? '' : 'h-[480px]'}`}
        >
          {begin.isPending && <LoadingRows noun={noun} />}
          <table className="w-full table-fixed border-collapse text-table" aria-rowcount={total + 1}>
            <caption className="sr-only">{label}</caption>
            <colgroup>
              <col />
              <col className={amountWidth} />
              <col className="w-12" />
            </colgroup>
            <thead className="sr-only">
              <tr>
                <th scope="col">{first}</th>
                <th scope="col">{second}</th>
                <th scope="col">Source</th>
              </tr>
            </thead>
            <SpaceRows height={items[0]?.start ?? 0} />
            <tbody>
              {items.map(({ index }) => {
                const row = rowAt(index)
                if (row === undefined) return <PendingLine key={index} />
                return <ChunkLine key={index} cells={cells(row)} index={index} onOpen={onOpen} />
              })}
            </tbody>
            <SpaceRows height={rows.getTotalSize() - (items.at(-1)?.end ?? 0)} />
          </table>
        </section>
      )}
    </Card>
  )
}

/** Shown where the first rows will be; it says nothing about how many there are. */
function LoadingRows({ noun }: { noun: string }) {
  return (
    <div className="flex flex-col">
      <LoadingNote what={`the ${noun}s`} />
      {LOADING_ROWS.map((row) => (
        <div key={row} style={{ height: ROW }} className="flex items-center border-b border-line px-4">
          <Skeleton className="h-3 w-full" />
        </div>
      ))}
    </div>
  )
}

function PendingLine() {
  return (
    <tr style={{ height: ROW }} className="border-b border-line">
      <td colSpan={3} className="px-4">
        <Skeleton className="h-3 w-full" />
      </td>
    </tr>
  )
}

function ChunkLine({
  cells: { head, why, amount, seq, line, data },
  index,
  onOpen,
}: {
  cells: ChunkCells
  index: number
  onOpen: (seq: number) => void
}) {
  return (
    <tr aria-rowindex={index + 2} {...data} style={{ height: ROW }} className="border-b border-line">
      <td className="pl-4">
        <p className="flex min-w-0 items-center gap-2">{head}</p>
        <p className="truncate text-label text-muted" title={why}>
          {why}
        </p>
      </td>
      <td className="tnum px-2 text-right whitespace-nowrap">{amount}</td>
      <td className="pr-3 text-right">
        {seq !== null && (
          <button
            type="button"
            aria-label={`Open line ${line ?? '?'}`}
            title={`Open line ${line ?? '?'} of the transcript`}
            onClick={() => onOpen(seq)}
            className="inline-flex size-7 items-center justify-center rounded-md text-muted hover:bg-inset hover:text-text"
          >
            <SearchGlyph />
          </button>
        )}
      </td>
    </tr>
  )
}
