import type { Metadata } from 'next'
import { ActivityScreen } from '@/components/activity/activity-screen'
import { TranscriptEvents } from '@/components/activity/transcript-events'
import { ErrorState } from '@/components/ui/error-state'
import { getActivity } from '@/lib/server/activity/activity'
import { getTranscriptEvents } from '@/lib/server/activity/transcript-events'
import { attempt } from '@/lib/server/door/attempt'
import { getRevision } from '@/lib/server/process/revision'
import { parseActivityParams } from '@/lib/view/activity/activity'
import { parseEventParams } from '@/lib/view/activity/transcript-events'

export const metadata: Metadata = { title: 'Activity' }

export default async function ActivityPage({ searchParams }: PageProps<'/activity'>) {
  const search = await searchParams
  const params = parseActivityParams((name) => [search[name]].flat()[0] ?? null)
  const asOf = await getRevision()
  const view = await attempt(() => getActivity(params))
  if (!view.ok) return <ErrorState title="The database cannot be read" detail={view.problem} />
  const { logged, broken } = view.value
  return (
    <ActivityScreen initial={{ params, view: view.value }} asOf={asOf}>
      {logged === 0 && broken.count === 0 && <Recorded asOf={asOf} />}
    </ActivityScreen>
  )
}

/** Where agents keep no logs: what their transcripts record. */
async function Recorded({ asOf }: { asOf: number | null }) {
  const params = parseEventParams(() => null)
  const view = await attempt(() => getTranscriptEvents(params))
  return view.ok ? <TranscriptEvents initial={{ params, view: view.value }} asOf={asOf} /> : null
}
