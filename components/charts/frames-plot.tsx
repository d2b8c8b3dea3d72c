'use client'

import { type PointerEvent, useRef, useState } from 'react'
import { CategorySwatch } from '@/components/charts/category-swatch'
import { CATEGORIES, type Category } from '@/lib/core/tokens/category'
import { CATEGORY_VIEWS } from '@/lib/view/charts/category'
import { categoryAt, type Plot } from '@/lib/view/charts/frames-chart'
import { columnOf, estimateMark, type FrameSeries } from '@/lib/view/charts/frames-series'
import { formatCount, formatPercent } from '@/lib/view/text/format'

type Hover = { readonly column: number; readonly x: number; readonly y: number }

/**
 * The layer over the drawing that follows the pointer and holds the cursor of the chosen call. Separate from the
 * drawing, so that neither hovering nor scrubbing paints the stack again.
 */
export function FramesPlot({
  series,
  plot,
  top,
  call,
  onPick,
}: {
  series: FrameSeries
  plot: Plot
  /** Tokens at the upper edge. */
  top: number
  call: number
  /** A call was pressed or dragged to; a press on a layer names its category, above the stack null. */
  onPick: (call: number, category: Category | null | undefined) => void
}) {
  const area = useRef<HTMLDivElement>(null)
  const [hover, setHover] = useState<Hover | null>(null)
  const columns = series.first.length
  const chosen = columnOf(series, call)
  const total = chosen === null ? null : (series.total[chosen] ?? null)

  function locate(event: PointerEvent): Hover | null {
    const box = area.current?.getBoundingClientRect()
    if (!box || columns === 0) return null
    const x = Math.min(Math.max(0, event.clientX - box.left), box.width - 0.01)
    return { column: Math.floor((x / box.width) * columns), x, y: event.clientY - box.top }
  }

  function pick(at: Hover, pressed: boolean) {
    const n = series.drawn[at.column]
    if (n === undefined) return
    const tokens = (1 - at.y / plot.height) * top
    onPick(n, pressed ? categoryAt(series, at.column, tokens) : undefined)
  }

  return (
    <div
      ref={area}
      data-testid="frames-plot"
      className="absolute cursor-crosshair touch-pan-y"
      style={{ left: plot.left, top: plot.top, width: plot.width, height: plot.height }}
      onPointerDown={(event) => {
        const at = locate(event)
        if (event.button !== 0 || !at) return
        event.currentTarget.setPointerCapture(event.pointerId)
        pick(at, true)
      }}
      onPointerMove={(event) => {
        const at = locate(event)
        setHover(event.pointerType === 'touch' ? null : at)
        if (at && event.currentTarget.hasPointerCapture(event.pointerId)) pick(at, false)
      }}
      onPointerLeave={() => setHover(null)}
    >
      {chosen !== null && (
        <div
          data-testid="frames-cursor"
          className="pointer-events-none absolute inset-y-0 -left-px w-0.5 bg-accent will-change-transform"
          style={{ transform: `translateX(${((chosen + 0.5) / columns) * plot.width}px)` }}
        >
          {total !== null && (
            <div
              className="absolute -left-[5px] size-3 rounded-full border-2 border-accent bg-surface"
              style={{ top: (1 - Math.min(total, top) / top) * plot.height - 6 }}
            />
          )}
        </div>
      )}
      {hover && (
        <>
          <div
            className="pointer-events-none absolute inset-y-0 w-px bg-line-strong"
            style={{ left: ((hover.column + 0.5) / columns) * plot.width }}
          />
          <FrameTip series={series} hover={hover} plot={plot} />
        </>
      )}
    </div>
  )
}

/** What is under the pointer: the drawn call with its categories, the uppermost layer first. */
function FrameTip({ series, hover, plot }: { series: FrameSeries; hover: Hover; plot: Plot }) {
  const { column } = hover
  const total = series.total[column] ?? null
  const n = series.drawn[column] ?? 0
  const first = series.first[column] ?? n
  const last = (series.first[column + 1] ?? series.to + 1) - 1
  const left = hover.x > plot.width / 2
  return (
    <div
      className="floating pointer-events-none absolute top-2 z-10 w-64 px-3 py-2 text-label"
      style={left ? { right: plot.width - hover.x + 16 } : { left: hover.x + 16 }}
    >
      <p className="mb-1 flex justify-between gap-3 font-medium">
        <span>{`Call ${formatCount(n)}`}</span>
        <span className="tnum">
          {total === null
            ? '? tokens'
            : `${formatCount(total)}${series.basis[column] === 'e' ? '\u202f≈' : ''}`}
        </span>
      </p>
      {last > first && (
        <p className="mb-1 text-muted">
          {`calls ${formatCount(first)}–${formatCount(last)}: ${formatCount(series.min[column] ?? 0)} to ${formatCount(series.max[column] ?? 0)}`}
        </p>
      )}
      {total === null ? (
        <p className="text-muted">Its size is unknown: it was not reported.</p>
      ) : (
        <table className="w-full">
          <tbody>
            {[...CATEGORIES].reverse().map((category) => {
              const index = CATEGORIES.indexOf(category)
              const tokens = series.tokens[index]?.[column] ?? 0
              if (tokens === 0) return null
              return (
                <tr key={category}>
                  <td className="w-4 pr-1.5">
                    <CategorySwatch category={category} size={10} />
                  </td>
                  <td className="pr-3">{CATEGORY_VIEWS[category].label}</td>
                  <td className="tnum pr-3 text-right">{`${formatCount(tokens)}${estimateMark(series, index, column)}`}</td>
                  <td className="tnum text-right text-muted">
                    {formatPercent(total === 0 ? 0 : tokens / total)}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
    </div>
  )
}
