import type { Metadata } from 'next'
import { createDemoStore } from '@/app/actions/stores'
import { OverviewScreen } from '@/components/overview/overview-screen'
import { NoStores } from '@/components/stores/no-stores'
import { getOverview } from '@/lib/server/overview'
import { getStores } from '@/lib/server/stores'
import { parsePeriod } from '@/lib/view/overview'

export const metadata: Metadata = { title: 'Overview' }

export default async function OverviewPage({ searchParams }: PageProps<'/'>) {
  const period = parsePeriod(firstOf((await searchParams).days))
  const overview = await getOverview({ period, now: Date.now() })
  if (overview.stores.length > 0) return <OverviewScreen initial={overview} />
  return <NoStores initial={await getStores()} createDemo={createDemoStore} />
}

function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
