'use client'

import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import type { FrameSeries } from '@/lib/view/charts/frames-series'
import { overviewPath } from '@/lib/view/charts/overview-path'
import { type CallRange, clampRange } from '@/lib/view/session/scrub'

const HEIGHT = 28
/** Fewer calls than this cannot be zoomed to: a column would be wider than a bar needs to be. */
const MIN_CALLS = 8

type Grip = 'from' | 'to' | 'all'

/**
 * The whole session, small, with the stretch that the chart shows: drag its ends or its middle, or draw a new one. Both
 * ends are sliders for the keyboard.
 */
export function RangeBrush({
  series,
  calls,
  range,
  left,
  width,
  onRange,
}: {
  /** All calls of the session. */
  series: FrameSeries
  calls: number
  range: CallRange
  left: number
  width: number
  onRange: (range: CallRange | null) => void
}) {
  const area = useRef<HTMLDivElement>(null)
  const drag = useRef<{ grip: Grip; start: number; range: CallRange } | null>(null)
  const x = (edge: number) => ((edge - 1) / Math.max(1, calls)) * width
  const begin = x(range.from)
  const end = x(range.to + 1)

  function callAt(event: PointerEvent): number {
    const box = area.current?.getBoundingClientRect()
    const share = box && box.width > 0 ? (event.clientX - box.left) / box.width : 0
    return Math.min(calls, Math.max(1, Math.floor(share * calls) + 1))
  }

  function gripAt(event: PointerEvent): Grip | null {
    const box = area.current?.getBoundingClientRect()
    const at = event.clientX - (box?.left ?? 0)
    if (Math.abs(at - begin) < 8) return 'from'
    if (Math.abs(at - end) < 8) return 'to'
    const zoomed = range.from > 1 || range.to < calls
    return zoomed && at > begin && at < end ? 'all' : null
  }

  function onPointerDown(event: PointerEvent<HTMLDivElement>) {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const start = callAt(event)
    const grip = gripAt(event)
    drag.current = grip ? { grip, start, range } : { grip: 'to', start, range: { from: start, to: start } }
  }

  function onPointerMove(event: PointerEvent<HTMLDivElement>) {
    const { current } = drag
    if (!current) return
    const at = callAt(event)
    if (current.grip === 'all') {
      const by = at - current.start
      show({ from: current.range.from + by, to: current.range.to + by })
      return
    }
    const fixed = current.grip === 'from' ? current.range.to : current.range.from
    show({ from: Math.min(fixed, at), to: Math.max(fixed, at) })
  }

  function show(next: CallRange) {
    const wide =
      next.to - next.from + 1 < MIN_CALLS ? { from: next.from, to: next.from + MIN_CALLS - 1 } : next
    const clamped = clampRange(wide, calls)
    onRange(clamped.from === 1 && clamped.to === calls ? null : clamped)
  }

  function onKeyDown(event: KeyboardEvent, grip: 'from' | 'to') {
    const step = event.shiftKey ? 10 : 1
    const by = event.key === 'ArrowLeft' ? -step : event.key === 'ArrowRight' ? step : 0
    const edge = event.key === 'Home' ? 1 : event.key === 'End' ? calls : range[grip] + by
    if (edge === range[grip]) return
    event.preventDefault()
    const moved = { ...range, [grip]: Math.min(calls, Math.max(1, edge)) }
    if (moved.to - moved.from + 1 >= MIN_CALLS) show(moved)
  }

  return (
    <div
      ref={area}
      className="relative touch-none rounded-sm bg-inset"
      style={{ marginLeft: left, width, height: HEIGHT }}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        drag.current = null
      }}
    >
      <svg width={width} height={HEIGHT} aria-hidden="true" className="isolate block">
        <path d={overviewPath(series, { width, height: HEIGHT })} fill="var(--fill)" opacity="0.35" />
        <rect x={0} y={0} width={Math.max(0, begin)} height={HEIGHT} fill="var(--surface)" opacity="0.72" />
        <rect
          x={end}
          y={0}
          width={Math.max(0, width - end)}
          height={HEIGHT}
          fill="var(--surface)"
          opacity="0.72"
        />
        <rect
          x={begin + 0.5}
          y={0.5}
          width={Math.max(2, end - begin - 1)}
          height={HEIGHT - 1}
          fill="none"
          stroke="var(--line-strong)"
          rx="2"
        />
      </svg>
      {(['from', 'to'] as const).map((grip) => (
        <div
          key={grip}
          role="slider"
          tabIndex={0}
          aria-label={grip === 'from' ? 'First call shown' : 'Last call shown'}
          aria-valuemin={1}
          aria-valuemax={calls}
          aria-valuenow={range[grip]}
          onKeyDown={(event) => onKeyDown(event, grip)}
          className="absolute inset-y-1 w-2 cursor-ew-resize rounded-sm border border-line-strong bg-surface"
          style={{ left: (grip === 'from' ? begin : end) - 4 }}
        />
      ))}
    </div>
  )
}
