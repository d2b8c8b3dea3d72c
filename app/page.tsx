import type { Metadata } from 'next'
import { OverviewScreen } from '@/components/overview/overview-screen'
import { getOverview } from '@/lib/server/overview'
import { parsePeriod } from '@/lib/view/overview'

export const metadata: Metadata = { title: 'Overview' }

export default async function OverviewPage({ searchParams }: PageProps<'/'>) {
  const period = parsePeriod(firstOf((await searchParams).days))
  return <OverviewScreen initial={await getOverview({ period, now: Date.now() })} />
}

function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
