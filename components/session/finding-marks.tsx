'use client'

import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react'
import { HostileText } from '@/components/entry/hostile-text'
import { SeverityBadge } from '@/components/findings/severity-badge'
import { classes } from '@/components/ui/classes'
import type { Severity } from '@/lib/core/findings/finding'
import { type CallMark, callMarks, callsWords, namedFindings } from '@/lib/view/findings/call-marks'
import type { FindingMark } from '@/lib/view/findings/session-findings'
import type { CallRange } from '@/lib/view/session/scrub'
import { formatCount } from '@/lib/view/text/format'

/** Marks must be this far apart to be hit, in pixels; closer ones are one. */
const GAP = 24
const TIP_WIDTH = 320

/** Pixels. */
export const LANE_HEIGHT = 24

const TONES: { readonly [S in Severity]: string } = {
  high: 'bg-danger',
  medium: 'bg-attention',
  low: 'bg-muted',
}

/**
 * A quiet lane under the chart with the calls at which findings show. One stop of the Tab key: arrow keys go from mark to
 * mark, Enter chooses the call, Escape puts the words away.
 */
export function FindingMarks({
  marks,
  range,
  left,
  width,
  isMeasured,
  onScrub,
}: {
  marks: readonly FindingMark[]
  range: CallRange
  /** Where the plot above begins, and how wide it is, in pixels. */
  left: number
  width: number
  isMeasured: boolean
  onScrub: (call: number) => void
}) {
  const lane = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(0)
  const [shown, setShown] = useState<number | null>(null)
  // The server knows no width: the lane is empty until the chart has one.
  const placed = isMeasured ? callMarks(marks, range, width, GAP) : []
  if (marks.length === 0) return null
  if (placed.length === 0) return <div style={{ height: LANE_HEIGHT }} />
  const stop = Math.max(0, Math.min(current, placed.length - 1))
  const marked = shown === null ? undefined : placed.find(({ call }) => call === shown)

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') setShown(null)
    const target = { ArrowLeft: stop - 1, ArrowRight: stop + 1, Home: 0, End: placed.length - 1 }[event.key]
    if (target === undefined) return
    // Elsewhere on the page these keys step through the calls.
    event.preventDefault()
    const next = Math.min(Math.max(target, 0), placed.length - 1)
    setCurrent(next)
    lane.current?.querySelectorAll('button')[next]?.focus()
  }

  function onBlur({ currentTarget, relatedTarget }: FocusEvent) {
    if (!currentTarget.contains(relatedTarget)) setShown(null)
  }

  return (
    <div
      ref={lane}
      role="toolbar"
      aria-label="Findings at calls"
      onKeyDown={onKeyDown}
      onBlur={onBlur}
      onPointerLeave={() => setShown(null)}
      className="relative"
      style={{ marginLeft: left, width, height: LANE_HEIGHT }}
    >
      <div aria-hidden="true" className="absolute inset-x-0 top-3 border-t border-dotted border-line" />
      {placed.map((mark, i) => (
        <button
          key={mark.call}
          type="button"
          tabIndex={i === stop ? 0 : -1}
          aria-label={mark.label}
          onClick={() => onScrub(mark.call)}
          onFocus={() => {
            setCurrent(i)
            setShown(mark.call)
          }}
          onPointerEnter={() => setShown(mark.call)}
          className="absolute top-0 grid size-6 -translate-x-1/2 place-items-center rounded-sm"
          style={{ left: Math.min(Math.max(mark.x, 12), Math.max(12, width - 12)) }}
        >
          <span className={classes('size-2 rotate-45 ring-1 ring-surface', TONES[mark.severity])} />
        </button>
      ))}
      {marked !== undefined && <MarkTip mark={marked} width={width} />}
    </div>
  )
}

/** What is wrong at a mark. The mark itself says the same to those who do not see it. */
function MarkTip({ mark, width }: { mark: CallMark; width: number }) {
  const { named, more } = namedFindings(mark.findings)
  const wide = Math.min(TIP_WIDTH, width)
  return (
    <div
      aria-hidden="true"
      data-testid="finding-tip"
      className="floating absolute bottom-full z-10 mb-1 flex flex-col gap-1 px-3 py-2 text-label"
      style={{ width: wide, left: Math.min(Math.max(0, mark.x - wide / 2), Math.max(0, width - wide)) }}
    >
      <p className="font-medium">{callsWords(mark)}</p>
      {named.map(({ finding, severity, sentence }) => (
        <p key={finding} className="isolate-text break-words">
          <SeverityBadge severity={severity} /> <HostileText text={sentence} />
        </p>
      ))}
      {more > 0 && <p className="text-muted">{`and ${formatCount(more)} more`}</p>}
    </div>
  )
}
