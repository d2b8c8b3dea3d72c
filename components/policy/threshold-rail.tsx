'use client'

import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { classes } from '@/components/ui/classes'
import type { Threshold } from '@/lib/view/policy/policy-lines'
import { keyStep, stepFrom } from '@/lib/view/policy/policy-ratio'
import { formatPercent } from '@/lib/view/text/format'

/** Shares are moved in whole hundredths of a per cent. */
const UNIT = 10_000
/** A drag moves by whole per cent. */
const GRID = 100

/**
 * The rail of one threshold: its handle is where it acts. Only the handle takes hold; pressing the rail does nothing,
 * so that no threshold is ever set by a slip.
 */
export function ThresholdRail({
  line,
  words,
  disabled,
  onPreview,
  onCommit,
}: {
  line: Threshold
  /** What it means where it is, for readers who do not see the rail. */
  words: string
  disabled: boolean
  onPreview: (at: number | null) => void
  onCommit: (at: number) => void
}) {
  const rail = useRef<HTMLDivElement>(null)
  const drag = useRef<{ readonly grip: number; readonly from: number; now: number } | null>(null)
  const place = Math.round(line.at * UNIT)

  function shareAt(clientX: number): number {
    const box = rail.current?.getBoundingClientRect()
    return box && box.width > 0 ? ((clientX - box.left) / box.width) * UNIT : 0
  }

  function begin(event: PointerEvent<HTMLDivElement>) {
    if (disabled || event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { grip: shareAt(event.clientX) - place, from: place, now: place }
  }

  function move(event: PointerEvent<HTMLDivElement>) {
    const { current } = drag
    if (!current || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    const wanted = Math.round((shareAt(event.clientX) - current.grip) / GRID) * GRID
    const next = Math.min(UNIT, Math.max(0, wanted))
    if (next === current.now) return
    current.now = next
    onPreview(next / UNIT)
  }

  function end(kept: boolean) {
    const { current } = drag
    drag.current = null
    if (!current) return
    if (kept && current.now !== current.from) onCommit(current.now / UNIT)
    else onPreview(null)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') end(false)
    const step = keyStep(event.key, event.shiftKey)
    if (disabled || step === 0 || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const next = Math.min(UNIT, Math.max(0, stepFrom(place, step)))
    if (next !== place) onCommit(next / UNIT)
  }

  return (
    <div ref={rail} className="relative h-7">
      <span className="absolute inset-x-0 top-1/2 h-px bg-line" aria-hidden="true" />
      <div
        role="slider"
        tabIndex={disabled ? -1 : 0}
        aria-label={line.label}
        aria-disabled={disabled || undefined}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(line.at * 100)}
        aria-valuetext={`${formatPercent(line.at)}, ${words}`}
        data-threshold={line.id}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={() => end(true)}
        onPointerCancel={() => end(false)}
        onKeyDown={onKeyDown}
        className={classes(
          'absolute top-1/2 flex size-8 -translate-x-1/2 -translate-y-1/2 touch-none items-center justify-center rounded-full',
          disabled ? 'cursor-not-allowed' : 'cursor-ew-resize hover:text-accent focus-visible:text-accent',
          !line.enabled && 'text-muted',
        )}
        style={{ left: `${line.at * 100}%` }}
      >
        <svg width="24" height="16" viewBox="-12 -8 24 16" aria-hidden="true" className="overflow-visible">
          <circle
            r="5.5"
            fill="var(--surface)"
            stroke="currentColor"
            strokeWidth="2"
            strokeDasharray={line.enabled ? undefined : '2 2'}
          />
          <line x1="-11" x2="11" stroke="currentColor" strokeWidth="2" />
        </svg>
      </div>
    </div>
  )
}
