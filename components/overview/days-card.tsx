'use client'

import { type ComponentType, useState } from 'react'
import { CategoryLegend } from '@/components/charts/category-legend'
import { ChartFrame } from '@/components/charts/chart-frame'
import { classes } from '@/components/ui/classes'
import { PageLink } from '@/components/ui/page-link'
import { CATEGORIES } from '@/lib/core/tokens/category'
import { type DaysView, daysCsv } from '@/lib/view/overview/days'
import { DEFAULT_PERIOD, PERIODS } from '@/lib/view/overview/overview'
import { formatShort } from '@/lib/view/text/format'
import { DaysPicture } from './days-picture'
import { DaysTable } from './days-table'

const loadChart = () => import('./days-chart').then((module) => module.DaysChart)

/** Tokens by day and category, over the period in the address. */
export function DaysCard({ view, period }: { view: DaysView; period: number }) {
  const total = view.totals.reduce((sum, tokens) => sum + tokens, 0)
  return (
    <ChartFrame
      title="Tokens by day and category"
      note={`${view.from} to ${view.to}, days in UTC · ${formatShort(total)} tokens sent; totals as providers reported, the split ≈ estimated`}
      name={`plimsoll-tokens-${view.from}-${view.to}`}
      csv={() => daysCsv(view)}
      table={<DaysTable view={view} />}
      aside={<PeriodLinks period={period} />}
    >
      {total === 0 ? (
        <p className="py-8 text-muted">No provider reported usage in this period.</p>
      ) : (
        <>
          <DaysPlot view={view} />
          <CategoryLegend
            items={view.categories.map((category) => ({
              category,
              value: formatShort(view.totals[CATEGORIES.indexOf(category)] ?? 0),
            }))}
          />
        </>
      )}
    </ChartFrame>
  )
}

/**
 * The bars as they are drawn at once, until a hand comes near: only then the charts' library is loaded, which tells the
 * days apart and is half as large as all the rest of the page.
 */
function DaysPlot({ view }: { view: DaysView }) {
  const [Chart, setChart] = useState<ComponentType<{ view: DaysView }> | null>(null)
  // Where it cannot be loaded, the drawing stays.
  const load = () =>
    loadChart().then(
      (loaded) => setChart(() => loaded),
      () => undefined,
    )
  return <div onPointerEnter={load}>{Chart ? <Chart view={view} /> : <DaysPicture view={view} />}</div>
}

function PeriodLinks({ period }: { period: number }) {
  return (
    <nav aria-label="Period" className="inline-flex rounded-md border border-line p-0.5">
      {PERIODS.map((days) => (
        <PageLink
          key={days}
          href={days === DEFAULT_PERIOD ? '/' : `/?days=${days}`}
          scroll={false}
          aria-current={days === period ? 'true' : undefined}
          className={classes(
            'h-6 rounded-sm px-2 text-label leading-6',
            days === period ? 'bg-inset font-medium' : 'text-muted hover:text-text',
          )}
        >
          {`${days} d`}
        </PageLink>
      ))}
    </nav>
  )
}
