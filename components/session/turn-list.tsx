'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { classes } from '@/components/ui/classes'
import { Skeleton } from '@/components/ui/skeleton'
import { usePainted } from '@/components/ui/use-painted'
import { clockSeconds } from '@/lib/view/charts/time-axis'
import { TURN_PAGE_ROWS, type TurnRow } from '@/lib/view/session/turns'
import { formatCount, formatQuantity, formatShort } from '@/lib/view/text/format'
import { signedCount } from '@/lib/view/text/signed'
import { HostileText } from '../entry/hostile-text'
import { turnsQuery } from './session-queries'
import { usePages } from './use-pages'

const ROW = 60
/** Height of the list before it is measured. */
const FIRST_HEIGHT = 640
/** Rows beyond the list's edges that are ready for scrolling, once those in it are painted. */
const BEYOND = 6

/** The turns of a session beside its transcript: what was asked, how many calls it took, how full the window was then. */
export function TurnList({
  id,
  turns,
  budget,
  current,
  offsetMinutes,
  onGo,
}: {
  id: string
  turns: number
  /** Effective budget in tokens, for the bars. */
  budget: number | null
  /** The turn of the first entry on screen; null while it is on its way. */
  current: number | null
  offsetMinutes: number
  onGo: (seq: number) => void
}) {
  const area = useRef<HTMLElement>(null)
  const painted = usePainted()
  const rows = useVirtualizer({
    count: turns,
    getScrollElement: () => area.current,
    estimateSize: () => ROW,
    overscan: painted ? BEYOND : 0,
    initialRect: { width: 0, height: FIRST_HEIGHT },
  })
  const items = rows.getVirtualItems()
  const { rowAt } = usePages({ items, pageRows: TURN_PAGE_ROWS, query: (page) => turnsQuery(id, page) })
  // The outside system is the scroll area of the list.
  useEffect(() => {
    if (current !== null && current > 0) rows.scrollToIndex(current - 1, { align: 'auto' })
  }, [current, rows])
  return (
    <nav
      ref={area}
      aria-label="Turns"
      className="relative hidden h-(--transcript-height) min-h-96 overflow-y-auto overscroll-contain rounded-card border border-line bg-surface lg:block"
    >
      <ol className="relative" style={{ height: rows.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const turn = rowAt(index)
          return (
            <li
              key={index}
              className="absolute inset-x-0 top-0 border-b border-line"
              style={{ transform: `translateY(${start}px)`, height: ROW }}
            >
              {turn ? (
                <Turn
                  turn={turn}
                  budget={budget}
                  current={turn.turn === current}
                  offsetMinutes={offsetMinutes}
                  onGo={onGo}
                />
              ) : (
                <Skeleton className="m-3 h-8" />
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

function Turn({
  turn,
  budget,
  current,
  offsetMinutes,
  onGo,
}: {
  turn: TurnRow
  budget: number | null
  current: boolean
  offsetMinutes: number
  onGo: (seq: number) => void
}) {
  const share = turn.total === null || budget === null ? null : Math.min(1, turn.total / budget)
  return (
    <button
      type="button"
      onClick={() => onGo(turn.seq)}
      aria-current={current || undefined}
      className={classes(
        'flex h-full w-full flex-col justify-center gap-0.5 px-3 text-left hover:bg-inset focus-visible:-outline-offset-2',
        current && 'bg-accent-soft',
      )}
    >
      <span className="tnum flex w-full gap-2 text-label text-muted">
        <span className="font-medium text-text">{formatCount(turn.turn)}</span>
        {turn.at !== null && <span>{clockSeconds(turn.at, offsetMinutes).slice(0, 5)}</span>}
        <span>{formatQuantity(turn.calls, 'call')}</span>
        <span className="ml-auto" title="Tokens at its last call, and the change since the turn before">
          {turn.total === null ? '?' : formatShort(turn.total)}
          {turn.delta !== null && ` ${deltaText(turn.delta)}`}
        </span>
      </span>
      <span className="w-full truncate text-table">
        <HostileText text={turn.preview ?? ''} />
      </span>
      <svg width="100%" height="3" aria-hidden="true" className="block">
        <rect width="100%" height="3" rx="1" fill="var(--inset)" />
        {share !== null && <rect width={`${share * 100}%`} height="3" rx="1" fill="var(--fill)" />}
      </svg>
    </button>
  )
}

/** A change in few characters. */
function deltaText(delta: number): string {
  if (Math.abs(delta) < 1000) return signedCount(delta)
  return delta > 0 ? `+${formatShort(delta)}` : formatShort(delta)
}
