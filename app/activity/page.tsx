import type { Metadata } from 'next'
import { ActivityScreen } from '@/components/activity/activity-screen'
import { ErrorState } from '@/components/ui/error-state'
import { getActivity } from '@/lib/server/activity/activity'
import { attempt } from '@/lib/server/door/attempt'
import { getRevision } from '@/lib/server/process/revision'
import { parseActivityParams } from '@/lib/view/activity/activity'

export const metadata: Metadata = { title: 'Activity' }

export default async function ActivityPage({ searchParams }: PageProps<'/activity'>) {
  const search = await searchParams
  const params = parseActivityParams((name) => [search[name]].flat()[0] ?? null)
  const asOf = await getRevision()
  const view = await attempt(() => getActivity(params))
  if (!view.ok) return <ErrorState title="The database cannot be read" detail={view.problem} />
  return <ActivityScreen initial={{ params, view: view.value }} asOf={asOf} />
}
