'use client'

import { useQueries } from '@tanstack/react-query'
import { useWindowVirtualizer, windowScroll } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useKeys } from '@/components/ui/use-keys'
import { usePainted } from '@/components/ui/use-painted'
import {
  listQuery,
  SESSION_PAGE_ROWS,
  type SessionListPage,
  type SessionListParams,
  type SessionListRow,
} from '@/lib/view/session-list/session-list'
import { sessionPageQuery } from './session-list-query'
import { SessionRow, SessionRowSkeleton } from './session-row'

/** What the server, which knows no screen, paints; in pixels. The list begins below bars and filters. */
const FIRST_PAINT = { width: 1200, height: 900 } as const
const FIRST_TOP = 140

/** Rows beyond the screen that are ready for scrolling, once those on it are painted. */
const BEYOND = 8

/** Parts of the screen that bars cover, in pixels. */
const COVERED = { above: 90, below: 80 } as const

/**
 * The rows in view, read one window of the list after the other. j and k move the focus, Enter opens what has it.
 * Give it another key when the height changes. Another list is put into the rows that are there.
 */
export function SessionRows({
  params,
  first,
  height,
}: {
  params: SessionListParams
  first: SessionListPage
  /** Of every row, in pixels. */
  height: number
}) {
  // The virtualizer is one object that changes inside: remembered renderings of it would show old rows.
  'use no memo'
  const area = useRef<HTMLTableSectionElement>(null)
  const start = useRef<HTMLTableSectionElement>(null)
  const [top, setTop] = useState(FIRST_TOP)
  const [cursor, setCursor] = useState<number | null>(null)
  const begun = useRef(false)
  const painted = usePainted()
  const virtualizer = useWindowVirtualizer({
    count: first.total,
    estimateSize: () => height,
    overscan: painted ? BEYOND : 0,
    scrollMargin: top,
    initialRect: FIRST_PAINT,
    initialOffset: 0,
    // It scrolls to its initial offset when it begins; by then the browser may have restored where the reader was.
    scrollToFn: (...args) => {
      if (begun.current) windowScroll(...args)
    },
    scrollPaddingStart: COVERED.above,
    scrollPaddingEnd: COVERED.below,
  })
  const list = listQuery(params)
  const [of, setOf] = useState(list)
  if (of !== list) {
    setOf(list)
    setCursor(null)
  }
  // The outside system is the layout: where the list begins on the page decides what is in view. Another list may begin
  // elsewhere.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is above the list differs with it
  useEffect(() => {
    setTop((start.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
    begun.current = true
    window.dispatchEvent(new Event('scroll'))
  }, [list])
  useFocusElsewhere(area, () => setCursor(null))

  const items = virtualizer.getVirtualItems()
  const rowAt = useWindows(params, first, items[0]?.index ?? 0, items.at(-1)?.index ?? 0)

  function move(step: 1 | -1) {
    const entry = Math.ceil((window.scrollY + COVERED.above - top) / height)
    const wanted = cursor === null ? entry : cursor + step
    const next = Math.min(first.total - 1, Math.max(0, wanted))
    virtualizer.scrollToIndex(next, { align: 'auto' })
    setCursor(next)
  }
  useKeys({ j: () => move(1), k: () => move(-1) })

  const above = (items[0]?.start ?? top) - top
  const below = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top)
  return (
    <>
      <tbody ref={start} aria-hidden="true">
        <Gap height={above} />
      </tbody>
      <tbody ref={area}>
        {items.map(({ index }) => {
          const row = rowAt(index)
          return row ? (
            <SessionRow key={index} row={row} index={index} height={height} current={cursor === index} />
          ) : (
            <SessionRowSkeleton key={index} height={height} />
          )
        })}
      </tbody>
      <tbody aria-hidden="true">
        <Gap height={below} />
      </tbody>
    </>
  )
}

/** Room for the rows that are not in view. */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null
  return (
    <tr>
      <td className="p-0" style={{ height }} />
    </tr>
  )
}

/** Reads the windows that hold the rows from `from` to `to`; the first one is there already. */
function useWindows(
  params: SessionListParams,
  first: SessionListPage,
  from: number,
  to: number,
): (index: number) => SessionListRow | undefined {
  const start = Math.floor(from / SESSION_PAGE_ROWS)
  const end = Math.floor(to / SESSION_PAGE_ROWS)
  const pages = Array.from({ length: end - start + 1 }, (_, step) => start + step).filter((page) => page > 0)
  const results = useQueries({ queries: pages.map((page) => sessionPageQuery(params, page)) })
  return (index) => {
    const page = Math.floor(index / SESSION_PAGE_ROWS)
    const rows = page === 0 ? first.rows : results[pages.indexOf(page)]?.data?.rows
    return rows?.[index % SESSION_PAGE_ROWS]
  }
}

/** Once the focus is elsewhere, a row that comes into view again must not draw it back. */
function useFocusElsewhere(area: RefObject<HTMLElement | null>, notice: () => void): void {
  const onFocus = useEffectEvent((event: FocusEvent) => {
    if (event.target instanceof Node && !area.current?.contains(event.target)) notice()
  })
  // The outside system is the keyboard focus of the whole page.
  useEffect(() => {
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [])
}
