import type { Metadata } from 'next'
import { createDemoStore } from '@/app/stores/actions'
import { OverviewScreen } from '@/components/overview/overview-screen'
import { NoStores } from '@/components/stores/no-stores'
import { ErrorState } from '@/components/ui/error-state'
import { attempt } from '@/lib/server/door/attempt'
import { getOverview } from '@/lib/server/overview/overview'
import { getRevision } from '@/lib/server/process/revision'
import { getStores } from '@/lib/server/stores/stores'
import { parsePeriod } from '@/lib/view/overview/overview'

export const metadata: Metadata = { title: 'Overview' }

export default async function OverviewPage({ searchParams }: PageProps<'/'>) {
  const period = parsePeriod([(await searchParams).days].flat()[0])
  const asOf = await getRevision()
  const overview = await attempt(() => getOverview({ period, now: Date.now() }))
  if (!overview.ok) return <ErrorState title="The database cannot be read" detail={overview.problem} />
  if (overview.value.stores.length > 0) return <OverviewScreen initial={overview.value} asOf={asOf} />
  return <NoStores initial={await getStores()} createDemo={createDemoStore} />
}
