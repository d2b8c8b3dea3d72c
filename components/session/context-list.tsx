'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import { CategorySwatch } from '@/components/charts/category-swatch'
import { useSize } from '@/components/charts/use-size'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ErrorState } from '@/components/ui/error-state'
import { CrossGlyph } from '@/components/ui/glyphs'
import { usePainted } from '@/components/ui/use-painted'
import { CATEGORY_VIEWS } from '@/lib/view/charts/category'
import {
  CONTEXT_PAGE_ROWS,
  type ContextPage,
  type ContextRow,
  replayWords,
} from '@/lib/view/session/context-page'
import type { ContextChoice, ContextSort } from '@/lib/view/session/context-rows'
import type { ContextSelection } from '@/lib/view/session/session-selection'
import { formatCount, formatQuantity } from '@/lib/view/text/format'
import { ContextHeader } from './context-header'
import { ContextRowView, NARROW_ROW, ROW } from './context-row'
import { HeaviestStrip } from './heaviest-strip'
import { contextQuery } from './session-queries'
import { SpaceRows } from './space-rows'
import { useOffsetMinutes } from './use-offset'
import { usePages } from './use-pages'
import { useRowKeys } from './use-row-keys'

/** Height of the list before it is measured. */
const FIRST_HEIGHT = 560
/** Rows beyond the list's edges that are ready for scrolling, once those in it are painted. */
const BEYOND = 10

/** What the model saw at a call, in order: every entry of its context, windowed, however many there are. */
export function ContextList({
  id,
  call,
  selection,
  onSelect,
  onOpen,
}: {
  id: string
  call: number
  selection: ContextSelection
  onSelect: (change: Partial<ContextSelection>) => void
  onOpen: (entry: number) => void
}) {
  const { sort, descending, category } = selection
  const choice: ContextChoice = { sort, descending, category }
  // The list keeps the call it shows until the next one is there.
  const first = useQuery({ ...contextQuery(id, call, choice, 0), placeholderData: keepPreviousData })
  const page = first.data
  const [frame, size] = useSize<HTMLDivElement>()
  const narrow = size !== null && size.width < 520
  return (
    <Card flush title="What the model saw, in order" note={page ? noteOf(page, category) : 'Loading…'}>
      {first.isError && <ErrorState title="This context could not be read" detail={first.error.message} />}
      {page?.replay && (
        <p data-testid="replay" className="isolate-text px-4 pb-2 text-table text-muted">
          {replayWords(page.replay)}
        </p>
      )}
      {category !== null && (
        <div className="px-4 pb-2">
          <Button kind="plain" onClick={() => onSelect({ category: null })} className="h-7">
            <CategorySwatch category={category} />
            {CATEGORY_VIEWS[category].label}
            <span className="sr-only">: show all categories</span>
            <CrossGlyph />
          </Button>
        </div>
      )}
      <div ref={frame}>
        {page && (
          // Rows of another height are another list to the virtualiser.
          <ContextRows
            key={String(narrow)}
            id={id}
            page={page}
            narrow={narrow}
            selection={selection}
            onSelect={onSelect}
            onOpen={onOpen}
          />
        )}
      </div>
    </Card>
  )
}

function ContextRows({
  id,
  page,
  narrow,
  selection,
  onSelect,
  onOpen,
}: {
  id: string
  page: ContextPage
  narrow: boolean
  selection: ContextSelection
  onSelect: (change: Partial<ContextSelection>) => void
  onOpen: (entry: number) => void
}) {
  const { call, choice, whole } = page
  const area = useRef<HTMLElement>(null)
  const offset = useOffsetMinutes()
  const [active, setActive] = useState<number | null>(null)
  const rowHeight = narrow ? NARROW_ROW : ROW
  const painted = usePainted()
  const rows = useVirtualizer({
    count: page.total,
    getScrollElement: () => area.current,
    estimateSize: () => rowHeight,
    overscan: painted ? BEYOND : 0,
    // Until the height is known: what has been read already is in the first painting.
    initialRect: { width: 0, height: FIRST_HEIGHT },
  })
  const items = rows.getVirtualItems()
  const { rowAt, error } = usePages({
    items,
    pageRows: CONTEXT_PAGE_ROWS,
    query: (index) => contextQuery(id, call, choice, index),
  })

  function show(index: number) {
    setActive(index)
    rows.scrollToIndex(index, { align: 'auto' })
  }

  useRowKeys({ area, count: page.total, active, onMove: show })

  function sortBy(sort: ContextSort) {
    const again = sort === selection.sort
    onSelect({ sort, descending: again ? !selection.descending : sort !== 'order' })
    rows.scrollToOffset(0)
  }

  function jump(row: ContextRow) {
    onSelect({ sort: 'order', descending: false, category: null })
    // The list is the whole context now; its rows are numbered by their order.
    requestAnimationFrame(() => show(row.order))
  }

  return (
    <>
      {whole && whole.heaviest.length > 0 && <HeaviestStrip rows={whole.heaviest} onJump={jump} />}
      {error && <ErrorState title="A part of this list could not be read" detail={error.message} />}
      <section
        ref={area}
        aria-label="What the model saw"
        className="relative isolate h-[592px] overflow-y-auto overscroll-contain"
        data-testid="context-rows"
      >
        <table className="w-full table-fixed border-collapse text-table" aria-rowcount={page.total + 1}>
          <caption className="sr-only">What the model saw, in order</caption>
          <ContextHeader choice={choice} narrow={narrow} onSort={sortBy} />
          <SpaceRows height={items[0]?.start ?? 0} />
          <tbody>
            {items.map(({ index }) => (
              <ContextRowView
                key={index}
                row={rowAt(index)}
                unsure={isUnsure(rowAt(index), page)}
                index={index}
                height={rowHeight}
                narrow={narrow}
                category={choice.category}
                largest={page.largest}
                offsetMinutes={offset}
                active={index === active}
                onOpen={(seq) => {
                  setActive(index)
                  onOpen(seq)
                }}
              />
            ))}
          </tbody>
          <SpaceRows height={rows.getTotalSize() - (items.at(-1)?.end ?? 0)} />
        </table>
      </section>
    </>
  )
}

/** Whether a row may have been cut away before the provider saw it. */
function isUnsure(row: ContextRow | undefined, page: ContextPage): boolean {
  return row?.sent === true && row.order < page.unsure
}

function noteOf(page: ContextPage, category: ContextSelection['category']): string {
  const of = category === null ? '' : ` of ${CATEGORY_VIEWS[category].label.toLowerCase()}`
  const unsent = page.unsent === 0 ? '' : `, ${formatCount(page.unsent)} not sent`
  return `${formatQuantity(page.total, 'part')}${unsent} · ${formatCount(page.tokens)}\u202f≈ tokens${of}`
}
