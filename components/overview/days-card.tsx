'use client'

import dynamic from 'next/dynamic'
import Link from 'next/link'
import { CategoryLegend } from '@/components/ui/category-legend'
import { ChartFrame } from '@/components/ui/chart-frame'
import { classes } from '@/components/ui/classes'
import { Skeleton } from '@/components/ui/skeleton'
import { WhenSeen } from '@/components/ui/when-seen'
import { CATEGORIES } from '@/lib/core/tokens/category'
import { type DaysView, daysCsv } from '@/lib/view/days'
import { formatShort } from '@/lib/view/format'
import { DEFAULT_PERIOD, PERIODS } from '@/lib/view/overview'
import { DaysTable } from './days-table'

const PLACE = <Skeleton className="h-60 w-full" />

// The charts' library is half as large as all the rest of the page: it comes when the chart is about to be seen.
const DaysChart = dynamic(() => import('./days-chart').then((module) => module.DaysChart), {
  ssr: false,
  loading: () => PLACE,
})

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
          <WhenSeen before={PLACE}>
            <DaysChart view={view} />
          </WhenSeen>
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

function PeriodLinks({ period }: { period: number }) {
  return (
    <nav aria-label="Period" className="inline-flex rounded-md border border-line p-0.5">
      {PERIODS.map((days) => (
        <Link
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
        </Link>
      ))}
    </nav>
  )
}
