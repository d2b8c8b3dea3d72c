'use client'

import type { ReactNode } from 'react'
import { Picture } from '@/components/charts/picture'
import { useSize } from '@/components/charts/use-size'
import { PLOT, type PlotTick } from '@/lib/view/activity/activity-charts'

/** Axes around a drawing that knows its room: ticks at the left and below. */
export function PlotFrame({
  label,
  height,
  axes,
  children,
}: {
  /** What is drawn, for those who do not see it. */
  label: string
  height: number
  axes: (
    width: number,
    height: number,
  ) => {
    readonly xTicks: readonly { readonly label: string; readonly at: number }[]
    readonly yTicks: readonly PlotTick[]
  }
  children: (width: number, height: number) => ReactNode
}) {
  const [area, size] = useSize<HTMLDivElement>()
  const width = Math.max(1, (size?.width ?? 0) - PLOT.left)
  const room = height - PLOT.top - PLOT.bottom
  const { xTicks, yTicks } = size === null ? { xTicks: [], yTicks: [] } : axes(width, room)
  return (
    <div ref={area} style={{ height }}>
      {size !== null && (
        <Picture label={label} width={size.width} height={height}>
          <g transform={`translate(${PLOT.left} ${PLOT.top})`}>
            {yTicks.map(({ value, label: text, at }) => (
              <g key={value}>
                <line x1={0} x2={width} y1={at} y2={at} stroke="var(--grid)" />
                <text x={-8} y={at} dy="0.355em" textAnchor="end" className="fill-muted">
                  {text}
                </text>
              </g>
            ))}
            {children(width, room)}
            <line x1={0} x2={width} y1={room} y2={room} stroke="var(--line)" />
            {xTicks.map(({ label: text, at }) => (
              <text
                key={`${text} ${at}`}
                x={at}
                y={room + 6}
                dy="0.71em"
                textAnchor={at <= 1 ? 'start' : at >= width - 12 ? 'end' : 'middle'}
                className="fill-muted"
              >
                {text}
              </text>
            ))}
          </g>
        </Picture>
      )}
    </div>
  )
}
