'use client'

import { useId } from 'react'
import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from 'recharts'
import { CategoryPatterns } from '@/components/charts/category-patterns'
import { CategorySwatch } from '@/components/charts/category-swatch'
import { CATEGORIES, type Category } from '@/lib/core/tokens/category'
import { CATEGORY_VIEWS, patternId } from '@/lib/view/charts/category'
import type { DayColumn, DaysView } from '@/lib/view/overview/days'
import { DAYS_GAP, DAYS_HEIGHT, DAYS_SCALE, dayTicks } from '@/lib/view/overview/days-bars'
import { formatCount, formatPercent, formatShort } from '@/lib/view/text/format'
import { dayLabel } from '@/lib/view/text/time'

const TICK = { fill: 'var(--muted)', fontSize: 12 } as const

/** The drawing of `DaysPicture`, which tells what each day consists of. A day without a call stays empty. */
export function DaysChart({ view }: { view: DaysView }) {
  const id = useId()
  const ticks = dayTicks(view).map((tick) => tick.value)
  return (
    <BarChart
      responsive
      data={[...view.columns]}
      style={{ width: '100%', height: DAYS_HEIGHT }}
      margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
      barCategoryGap={`${DAYS_GAP * 100}%`}
      accessibilityLayer={false}
      role="img"
      title="Tokens sent by day and category"
      desc="The same numbers are in the table."
    >
      <CategoryPatterns prefix={id} />
      <CartesianGrid vertical={false} stroke="var(--grid)" />
      <XAxis
        dataKey="day"
        tickFormatter={dayLabel}
        tick={TICK}
        tickLine={false}
        axisLine={{ stroke: 'var(--line)' }}
        minTickGap={28}
      />
      <YAxis
        tickFormatter={formatShort}
        tick={TICK}
        tickLine={false}
        axisLine={false}
        width={DAYS_SCALE}
        domain={[0, ticks.at(-1) ?? 0]}
        ticks={ticks}
      />
      <Tooltip
        cursor={{ fill: 'var(--inset)' }}
        isAnimationActive={false}
        content={({ active, payload }) => {
          const column = payload?.[0]?.payload as DayColumn | undefined
          return active && column ? <DayTip column={column} categories={view.categories} /> : null
        }}
      />
      {view.categories.map((category) => (
        <Bar
          key={category}
          stackId="day"
          dataKey={(column: DayColumn) => column.categories[CATEGORIES.indexOf(category)] ?? 0}
          fill={`url(#${patternId(id, category)})`}
          shape={Layer}
          isAnimationActive={false}
        />
      ))}
    </BarChart>
  )
}

/** A layer with a hair's breadth of surface above it, where it is thick enough to spare one. */
function Layer({ x = 0, y = 0, width = 0, height = 0, fill }: LayerProps) {
  const gap = height > 3 ? 1 : 0
  return <rect x={x} y={y + gap} width={width} height={Math.max(0, height - gap)} fill={fill} />
}

type LayerProps = {
  readonly x?: number
  readonly y?: number
  readonly width?: number
  readonly height?: number
  readonly fill?: string
}

function DayTip({ column, categories }: { column: DayColumn; categories: readonly Category[] }) {
  return (
    <div className="floating px-3 py-2 text-label">
      <p className="mb-1 font-medium">
        {`${column.day} · ${formatCount(column.total)} tokens in ${formatCount(column.calls)} calls`}
      </p>
      <table>
        <tbody>
          {[...categories].reverse().map((category) => {
            const tokens = column.categories[CATEGORIES.indexOf(category)] ?? 0
            if (tokens === 0) return null
            return (
              <tr key={category}>
                <td className="pr-2">
                  <CategorySwatch category={category} size={10} />
                </td>
                <td className="pr-4">{CATEGORY_VIEWS[category].label}</td>
                <td className="tnum pr-3 text-right">{formatCount(tokens)} ≈</td>
                <td className="tnum text-right text-muted">{formatPercent(tokens / column.total)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
