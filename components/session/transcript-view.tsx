'use client'

import { useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { LoadingNote } from '@/components/ui/skeleton'
import { usePainted } from '@/components/ui/use-painted'
import { TRANSCRIPT_PAGE_ROWS } from '@/lib/view/session/entry-detail'
import type { SessionSummary } from '@/lib/view/session/session-head'
import { EntryRow, EntryRowSkeleton } from '../entry/entry-row'
import { FindBar } from './find-bar'
import { summaryQuery, transcriptQuery } from './session-queries'
import { TurnList } from './turn-list'
import { useOffsetMinutes } from './use-offset'
import { usePages } from './use-pages'
import { useRowKeys } from './use-row-keys'
import { type ScrollGoal, useScrollGoal } from './use-scroll-goal'
import { type TranscriptSelection, useTranscriptAddress } from './use-transcript-address'

/** Height of a row before it is measured. */
const GUESS = 96
/** Height of the list before it is measured. */
const FIRST_HEIGHT = 640
/** Rows beyond the list's edges that are ready for scrolling, once those in it are painted. */
const BEYOND = 6

/** The transcript of a session, entry by entry, read as it comes into view. */
export function TranscriptView({
  initial,
  selection,
}: {
  initial: SessionSummary
  selection: TranscriptSelection
}) {
  const { id } = initial.head
  const { head } = useQuery({ ...summaryQuery(id), initialData: initial }).data
  const offset = useOffsetMinutes()
  const area = useRef<HTMLElement>(null)
  const [active, setActive] = useState<number | null>(selection.entry)
  const [find, setFind] = useState(selection.find)
  useTranscriptAddress({ entry: active, find })
  const painted = usePainted()
  const rows = useVirtualizer({
    count: head.entries,
    getScrollElement: () => area.current,
    estimateSize: () => GUESS,
    overscan: painted ? BEYOND : 0,
    gap: 8,
    paddingStart: 8,
    paddingEnd: 8,
    // Until the height is known: what has been read already is in the first painting.
    initialRect: { width: 0, height: FIRST_HEIGHT },
    initialOffset: (selection.entry ?? 0) * (GUESS + 8),
  })
  const items = rows.getVirtualItems()
  const { rowAt, error } = usePages({
    items,
    pageRows: TRANSCRIPT_PAGE_ROWS,
    query: (page) => transcriptQuery(id, page),
  })

  const scrollTo = useScrollGoal({
    rows,
    area,
    initial: selection.entry === null ? null : { index: selection.entry, align: 'center' },
    isRead: (index) => rowAt(index) !== undefined,
  })

  function show(index: number, align: ScrollGoal['align'] = 'auto') {
    setActive(index)
    scrollTo({ index, align })
  }

  useRowKeys({ area, count: head.entries, active, onMove: show })

  if (head.entries === 0) {
    return (
      <Card title="Transcript">
        <EmptyState title="This transcript is empty">
          <p>{head.problem ?? 'Nothing has been written into it yet.'}</p>
        </EmptyState>
      </Card>
    )
  }
  return (
    <div className="flex min-h-0 flex-col gap-2 [--transcript-height:calc(100dvh-272px)]">
      <FindBar id={id} find={find} active={active} onFind={setFind} onGo={(seq) => show(seq, 'center')} />
      {error && <ErrorState title="A part of this transcript could not be read" detail={error.message} />}
      <div className="grid min-w-0 gap-3 lg:grid-cols-[280px_minmax(0,1fr)]">
        <TurnList
          id={id}
          turns={head.turns}
          budget={head.window?.budget ?? null}
          current={rowAt(items.find((item) => item.end > (rows.scrollOffset ?? 0))?.index ?? 0)?.turn ?? null}
          offsetMinutes={offset}
          onGo={(seq) => show(seq, 'start')}
        />
        <section
          ref={area}
          aria-label="Entries"
          data-testid="transcript"
          className="relative h-(--transcript-height) min-h-96 overflow-y-auto overscroll-contain rounded-card border border-line bg-page px-2 md:px-3"
        >
          {items.every(({ index }) => rowAt(index) === undefined) && <LoadingNote what="the transcript" />}
          <ol className="relative" style={{ height: rows.getTotalSize() }}>
            {items.map(({ index, start }) => {
              const entry = rowAt(index)
              return (
                <li
                  key={index}
                  ref={rows.measureElement}
                  data-index={index}
                  data-row={index}
                  className="absolute inset-x-0 top-0"
                  style={{ transform: `translateY(${start}px)` }}
                  aria-setsize={head.entries}
                  aria-posinset={index + 1}
                >
                  {entry ? (
                    <EntryRow
                      id={id}
                      entry={entry}
                      active={index === active}
                      offsetMinutes={offset}
                      onActivate={() => setActive(index)}
                    />
                  ) : (
                    <EntryRowSkeleton />
                  )}
                </li>
              )
            })}
          </ol>
        </section>
      </div>
    </div>
  )
}
