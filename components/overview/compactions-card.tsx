'use client'

import { useId } from 'react'
import { ChartFrame } from '@/components/charts/chart-frame'
import { Picture } from '@/components/charts/picture'
import { useSize } from '@/components/charts/use-size'
import { Heads, Table, Td, Th, Tr } from '@/components/ui/table'
import { COMPACTION_BARS, compactionBars } from '@/lib/view/overview/compaction-day-bars'
import {
  type CompactionDaysView,
  compactionDaysCsv,
  compactionDaysNote,
} from '@/lib/view/overview/compaction-days'
import { formatCount } from '@/lib/view/text/format'

/** Compactions by day, those in the middle of a task apart, and what they freed. */
export function CompactionsCard({ view }: { view: CompactionDaysView }) {
  return (
    <ChartFrame
      title="Compactions by day"
      note={compactionDaysNote(view)}
      name={`plimsoll-compactions-${view.from}-${view.to}`}
      csv={() => compactionDaysCsv(view)}
      table={<CompactionsTable view={view} />}
    >
      {view.total.count === 0 ? (
        <p className="text-muted">No session was compacted in this period.</p>
      ) : (
        <Drawing view={view} />
      )}
    </ChartFrame>
  )
}

function Drawing({ view }: { view: CompactionDaysView }) {
  const [area, size] = useSize<HTMLDivElement>()
  return (
    <div className="flex flex-col gap-2">
      <div ref={area} style={{ height: COMPACTION_BARS.height }}>
        {size && <Bars view={view} width={size.width} />}
      </div>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-label text-muted">
        <li className="flex items-center gap-1.5">
          <svg width="12" height="12" aria-hidden="true">
            <rect width="12" height="12" rx="2" fill="var(--cat-summary)" />
          </svg>
          compactions
        </li>
        <li className="flex items-center gap-1.5">
          <svg width="12" height="12" aria-hidden="true">
            <MidTaskPattern id="mid-task-legend" />
            <rect width="12" height="12" rx="2" fill="url(#mid-task-legend)" />
          </svg>
          of them mid-task
        </li>
        <li className="flex items-center gap-1.5">
          <svg width="12" height="12" aria-hidden="true">
            <rect width="12" height="12" rx="2" fill="var(--fill)" />
          </svg>
          tokens reclaimed
        </li>
      </ul>
    </div>
  )
}

/** Two rows on one time axis: how many above, tokens below. */
function Bars({ view, width }: { view: CompactionDaysView; width: number }) {
  const id = useId()
  const { rows, labels } = compactionBars(view, width)
  const { height, scale } = COMPACTION_BARS
  return (
    <Picture
      label="Compactions and tokens reclaimed by day; the same numbers are in the table"
      width={width}
      height={height}
    >
      <MidTaskPattern id={id} />
      {rows.map(({ name, ground, lines, bars }) => (
        <g key={name}>
          {lines.map(({ label, y }) => (
            <g key={`${name} ${y}`}>
              <line x1={scale} x2={width} y1={y} y2={y} stroke="var(--grid)" />
              <text x={scale - 8} y={y} dy="0.355em" textAnchor="end" className="fill-muted">
                {label}
              </text>
            </g>
          ))}
          {bars.map(({ key, title, tone, ...place }) => (
            <rect
              key={key}
              {...place}
              fill={
                tone === 'mid-task' ? `url(#${id})` : tone === 'count' ? 'var(--cat-summary)' : 'var(--fill)'
              }
            >
              <title>{title}</title>
            </rect>
          ))}
          <line x1={scale} x2={width} y1={ground} y2={ground} stroke="var(--line)" />
        </g>
      ))}
      {labels.map(({ x, label }) => (
        <text key={label} x={x} y={height - 12} textAnchor="middle" className="fill-muted">
          {label}
        </text>
      ))}
    </Picture>
  )
}

function MidTaskPattern({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse">
        <rect width="6" height="6" fill="var(--attention)" />
        <path d="M0 6 6 0" stroke="var(--surface)" strokeWidth="1" />
      </pattern>
    </defs>
  )
}

function CompactionsTable({ view }: { view: CompactionDaysView }) {
  const days = view.columns.filter(({ count }) => count > 0).reverse()
  return (
    <Table caption="Compactions by day">
      <Heads
        text={['Day (UTC)']}
        numbers={['Compactions', 'Mid-task', 'Tokens reclaimed', 'Of unknown size']}
      />
      <tbody>
        {days.map(({ day, count, midTask, reclaimed, unknown }) => (
          <Tr key={day}>
            <Th scope="row" className="tnum whitespace-nowrap">
              {day}
            </Th>
            <Td numeric>{formatCount(count)}</Td>
            <Td numeric>{formatCount(midTask)}</Td>
            <Td numeric>{unknown === count ? '?' : formatCount(reclaimed)}</Td>
            <Td numeric>{formatCount(unknown)}</Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  )
}
