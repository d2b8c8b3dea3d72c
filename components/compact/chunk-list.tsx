'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { HostileText } from '@/components/session/hostile-text'
import { SpaceRows } from '@/components/session/space-rows'
import { usePages } from '@/components/session/use-pages'
import { Badge, type Tone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CategorySwatch } from '@/components/ui/category-swatch'
import { ErrorState } from '@/components/ui/error-state'
import { EstimateMark } from '@/components/ui/figure'
import { SearchGlyph } from '@/components/ui/glyphs'
import { LoadingNote, Skeleton } from '@/components/ui/skeleton'
import { scrollRegion } from '@/components/ui/table'
import { type ChunkAction, PLAN_RULES } from '@/lib/core/compaction/plan'
import { CATEGORY_VIEWS } from '@/lib/view/category'
import { ACTION_WORDS, CHUNK_PAGE_ROWS, type ChunkRow } from '@/lib/view/compact-plan'
import { rowKind } from '@/lib/view/context-page'
import { formatCount, formatQuantity } from '@/lib/view/format'
import type { PlanKnobs } from '@/lib/view/plan-knobs'
import { visibleLine } from '@/lib/view/visible-text'
import { chunksQuery } from './compact-queries'

const ROW = 56

const TONES: { readonly [A in ChunkAction]: Tone } = {
  keep: 'ok',
  summarise: 'accent',
  prune: 'attention',
  drop: 'danger',
}

/** Every chunk of the plan in order, windowed, with its rule and the way to its source. */
export function ChunkList({
  id,
  knobs,
  action,
  onAction,
  onOpen,
}: {
  id: string
  knobs: PlanKnobs
  action: ChunkAction | null
  onAction: (action: ChunkAction | null) => void
  /** Opens the source of an entry. */
  onOpen: (seq: number) => void
}) {
  const area = useRef<HTMLElement>(null)
  const first = useQuery({ ...chunksQuery(id, knobs, action, 0), placeholderData: keepPreviousData })
  const total = first.data?.total ?? 0
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => area.current,
    estimateSize: () => ROW,
    overscan: 8,
  })
  const items = rows.getVirtualItems()
  const { rowAt, error } = usePages({
    items,
    pageRows: CHUNK_PAGE_ROWS,
    query: (page) => ({ ...chunksQuery(id, knobs, action, page), placeholderData: keepPreviousData }),
  })
  const problem = first.error ?? error
  const counted = `${formatQuantity(total, 'chunk')}${action === null ? '' : `, ${ACTION_WORDS[action].label.toLowerCase()}`}, in the order of the context`
  return (
    <Card
      flush
      title="Chunks"
      note={first.data === undefined ? 'in the order of the context' : counted}
      aside={
        action !== null && (
          <Button kind="quiet" onClick={() => onAction(null)}>
            Show all
          </Button>
        )
      }
    >
      {problem && <ErrorState title="The chunks could not be read" detail={problem.message} />}
      <section
        ref={area}
        {...scrollRegion('Chunks of the plan')}
        data-testid="chunks"
        className={`relative overflow-y-auto overscroll-contain ${first.isError ? '' : 'h-[480px]'}`}
      >
        {first.isPending && <LoadingRows />}
        <table className="w-full table-fixed border-collapse text-table" aria-rowcount={total + 1}>
          <caption className="sr-only">Chunks of the plan</caption>
          <colgroup>
            <col />
            <col className="w-24" />
            <col className="w-12" />
          </colgroup>
          <thead className="sr-only">
            <tr>
              <th scope="col">Chunk and rule</th>
              <th scope="col">Tokens</th>
              <th scope="col">Source</th>
            </tr>
          </thead>
          <SpaceRows height={items[0]?.start ?? 0} />
          <tbody>
            {items.map(({ index }) => (
              <Row key={index} row={rowAt(index)} index={index} onOpen={onOpen} />
            ))}
          </tbody>
          <SpaceRows height={rows.getTotalSize() - (items.at(-1)?.end ?? 0)} />
        </table>
      </section>
    </Card>
  )
}

const LOADING_ROWS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'] as const

/** Stands where the first chunks will: nothing is said about how many there are. */
function LoadingRows() {
  return (
    <div className="flex flex-col">
      <LoadingNote what="the chunks" />
      {LOADING_ROWS.map((row) => (
        <div key={row} style={{ height: ROW }} className="flex items-center border-b border-line px-4">
          <Skeleton className="h-3 w-full" />
        </div>
      ))}
    </div>
  )
}

function Row({
  row,
  index,
  onOpen,
}: {
  row: ChunkRow | undefined
  index: number
  onOpen: (seq: number) => void
}) {
  if (row === undefined)
    return (
      <tr style={{ height: ROW }} className="border-b border-line">
        <td colSpan={3} className="px-4">
          <Skeleton className="h-3 w-full" />
        </td>
      </tr>
    )
  const { action, rule, category, entries, seq, line, tokens, preview } = row
  return (
    <tr
      aria-rowindex={index + 2}
      data-action={action}
      style={{ height: ROW }}
      className="border-b border-line"
    >
      <td className="pl-4">
        <p className="flex min-w-0 items-center gap-2">
          <Badge tone={TONES[action]}>{ACTION_WORDS[action].label.toLowerCase()}</Badge>
          <CategorySwatch category={category} size={10} />
          <span className="max-w-1/2 shrink-0 truncate">
            {seq === null
              ? 'Before the conversation'
              : visibleLine(rowKind(row)) || CATEGORY_VIEWS[category].label}
            {entries > 1 && (
              <span className="text-muted">{` + ${formatQuantity(entries - 1, 'result')}`}</span>
            )}
          </span>
          <span className="truncate text-muted">
            <HostileText text={preview ?? ''} />
          </span>
        </p>
        <p className="truncate text-label text-muted" title={PLAN_RULES[rule]}>
          {PLAN_RULES[rule]}
        </p>
      </td>
      <td className="tnum px-2 text-right whitespace-nowrap">
        {formatCount(tokens)}
        <EstimateMark errorPct={null} />
      </td>
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
