'use client'

import { type KeyboardEvent, type PointerEvent, useId, useRef } from 'react'
import { classes } from '@/components/ui/classes'
import { REGIONS } from '@/lib/core/budget/regions'
import {
  edgeOf,
  keyStep,
  moveEdge,
  type RatioShares,
  REGION_VIEWS,
  stepFrom,
} from '@/lib/view/policy/policy-ratio'
import { formatPercent } from '@/lib/view/text/format'
import { RegionPatterns, regionPattern } from './region-patterns'

const HEIGHT = 44
/** A drag moves by whole per cent. */
const GRID = 100
const EDGES = [0, 1, 2, 3] as const

/**
 * The window as one bar of five regions. The edges between them are dragged or moved by arrow keys; the bar always adds
 * up, since what one region gains its neighbour loses.
 */
export function RatioBar({
  shares,
  disabled,
  faded,
  onPreview,
  onCommit,
}: {
  shares: RatioShares
  disabled: boolean
  /** The window is not divided at all. */
  faded: boolean
  /** While an edge is dragged; null when the drag was given up. */
  onPreview: (shares: RatioShares | null) => void
  onCommit: (shares: RatioShares, edge: number) => void
}) {
  const id = useId()
  const bar = useRef<HTMLDivElement>(null)
  const drag = useRef<{ readonly edge: number; readonly from: RatioShares; now: RatioShares } | null>(null)

  function placeOf(event: PointerEvent): number {
    const box = bar.current?.getBoundingClientRect()
    if (!box || box.width === 0) return 0
    return Math.round((((event.clientX - box.left) / box.width) * 10_000) / GRID) * GRID
  }

  function begin(event: PointerEvent<HTMLDivElement>, edge: number) {
    if (disabled || event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { edge, from: shares, now: shares }
  }

  function move(event: PointerEvent<HTMLDivElement>) {
    const { current } = drag
    if (!current || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    const next = moveEdge(current.from, current.edge, placeOf(event))
    if (next.join() === current.now.join()) return
    current.now = next
    onPreview(next)
  }

  function end(kept: boolean) {
    const { current } = drag
    drag.current = null
    if (!current) return
    if (kept && current.now.join() !== current.from.join()) onCommit(current.now, current.edge)
    else onPreview(null)
  }

  function onKeyDown(event: KeyboardEvent, edge: number) {
    if (event.key === 'Escape') {
      end(false)
      return
    }
    const step = keyStep(event.key, event.shiftKey)
    if (disabled || step === 0 || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const next = moveEdge(shares, edge, stepFrom(edgeOf(shares, edge), step))
    if (next.join() !== shares.join()) onCommit(next, edge)
  }

  let start = 0
  return (
    <div ref={bar} className="relative mx-2 my-1" style={{ height: HEIGHT }} data-testid="ratio-bar">
      <svg
        width="100%"
        height={HEIGHT}
        aria-hidden="true"
        className={classes('block overflow-visible', faded && 'opacity-40 grayscale')}
      >
        <RegionPatterns prefix={id} />
        {REGIONS.map((region, i) => {
          const share = shares[i] ?? 0
          const x = start
          start += share
          return (
            <rect
              key={region}
              x={`${x / 100}%`}
              y="8"
              width={`${share / 100}%`}
              height={HEIGHT - 16}
              fill={`url(#${regionPattern(id, region)})`}
              opacity={disabled ? 0.55 : 1}
            />
          )
        })}
      </svg>
      {EDGES.map((edge) => {
        const [left, right] = [REGIONS[edge], REGIONS[edge + 1]]
        if (left === undefined || right === undefined) return null
        const names = [REGION_VIEWS[left].label, REGION_VIEWS[right].label] as const
        const place = edgeOf(shares, edge)
        return (
          <div
            key={edge}
            role="slider"
            tabIndex={disabled ? -1 : 0}
            aria-label={`Edge between ${names[0]} and ${names[1]}`}
            aria-disabled={disabled || undefined}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.round(place / 100)}
            aria-valuetext={`${names[0]} ${formatPercent((shares[edge] ?? 0) / 10_000)}, ${names[1]} ${formatPercent((shares[edge + 1] ?? 0) / 10_000)}`}
            onPointerDown={(event) => begin(event, edge)}
            onPointerMove={move}
            onPointerUp={() => end(true)}
            onPointerCancel={() => end(false)}
            onKeyDown={(event) => onKeyDown(event, edge)}
            className={classes(
              'group absolute inset-y-0 flex w-6 -translate-x-1/2 touch-none items-center justify-center rounded-md',
              disabled ? 'cursor-not-allowed' : 'cursor-ew-resize',
            )}
            style={{ left: `${place / 100}%` }}
          >
            <span className="h-full w-[3px] rounded-full bg-text ring-2 ring-surface group-hover:bg-accent group-focus-visible:bg-accent" />
          </div>
        )
      })}
    </div>
  )
}
