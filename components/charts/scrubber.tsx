'use client'

import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { type CallRange, clampCall, scrubbedTo } from '@/lib/view/session/scrub'

/**
 * Chooses a call: drag or click the track, or use the keys while it has the focus. An ARIA slider over all calls of
 * the session; the track shows those on the chart above it, at the same places.
 */
export function Scrubber({
  call,
  calls,
  range,
  left,
  width,
  valueText,
  onScrub,
}: {
  call: number
  calls: number
  range: CallRange
  /** Where the plot above begins, and how wide it is, in pixels. */
  left: number
  width: number
  /** What a reader hears: the call and its size. */
  valueText: string
  onScrub: (call: number) => void
}) {
  const track = useRef<HTMLDivElement>(null)
  const count = range.to - range.from + 1
  const x = ((call - range.from + 0.5) / count) * width
  const onTrack = call >= range.from && call <= range.to

  function scrubTo(event: PointerEvent) {
    const box = track.current?.getBoundingClientRect()
    if (!box || box.width === 0) return
    const share = (event.clientX - box.left) / box.width
    const target = range.from + Math.floor(share * count)
    onScrub(clampCall(Math.min(Math.max(target, range.from), range.to), calls))
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const target = scrubbedTo(event.key, { call, calls, shift: event.shiftKey })
    if (target === null) return
    event.preventDefault()
    onScrub(target)
  }

  return (
    <div
      ref={track}
      role="slider"
      tabIndex={0}
      aria-label="Call"
      aria-valuemin={1}
      aria-valuemax={calls}
      aria-valuenow={call}
      aria-valuetext={valueText}
      aria-orientation="horizontal"
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        scrubTo(event)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) scrubTo(event)
      }}
      className="relative h-7 cursor-ew-resize touch-none rounded-sm"
      style={{ marginLeft: left, width }}
    >
      <div className="absolute inset-x-0 top-3 h-1 rounded-full bg-line" />
      {onTrack && (
        <div
          // A step moves this layer, and paints neither track nor chart again.
          className="absolute top-0 left-0 size-7 will-change-transform"
          style={{ transform: `translateX(${x - 14}px)` }}
        >
          <div className="absolute inset-1.5 rounded-full border-2 border-accent bg-surface" />
          <div className="absolute inset-x-0 top-[13px] h-0.5 bg-accent" />
        </div>
      )}
    </div>
  )
}
