'use client'

import { useId } from 'react'
import { CategoryPatterns } from '@/components/charts/category-patterns'
import { Picture } from '@/components/charts/picture'
import { useSize } from '@/components/charts/use-size'
import { patternId } from '@/lib/view/charts/category'
import type { DaysView } from '@/lib/view/overview/days'
import { DAYS_HEIGHT, DAYS_SCALE, dayBars } from '@/lib/view/overview/days-bars'

/** Tokens sent by day, stacked by category: the drawing alone, which is there at once and needs no library. */
export function DaysPicture({ view }: { view: DaysView }) {
  const id = useId()
  const [area, size] = useSize<HTMLDivElement>()
  return (
    <div ref={area} style={{ height: DAYS_HEIGHT }}>
      {size && <Bars view={view} width={size.width} id={id} />}
    </div>
  )
}

function Bars({ view, width, id }: { view: DaysView; width: number; id: string }) {
  const { layers, lines, labels, ground } = dayBars(view, width)
  return (
    <Picture
      label="Tokens sent by day and category; the same numbers are in the table"
      width={width}
      height={DAYS_HEIGHT}
    >
      <CategoryPatterns prefix={id} />
      {lines.map(({ value, label, y }) => (
        <g key={value}>
          <line x1={DAYS_SCALE} x2={width} y1={y} y2={y} stroke="var(--grid)" />
          <text x={DAYS_SCALE - 8} y={y} dy="0.355em" textAnchor="end" className="fill-muted">
            {label}
          </text>
        </g>
      ))}
      {layers.map(({ day, category, ...place }) => (
        <rect key={`${day} ${category}`} {...place} fill={`url(#${patternId(id, category)})`} />
      ))}
      <line x1={DAYS_SCALE} x2={width} y1={ground} y2={ground} stroke="var(--line)" />
      {labels.map(({ x, label }) => (
        <text key={label} x={x} y={ground + 8} dy="0.71em" textAnchor="middle" className="fill-muted">
          {label}
        </text>
      ))}
    </Picture>
  )
}
