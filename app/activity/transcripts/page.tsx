import type { Metadata } from 'next'
import { TranscriptEvents } from '@/components/activity/transcript-events'
import { ErrorState } from '@/components/ui/error-state'
import { getTranscriptEvents } from '@/lib/server/activity/transcript-events'
import { attempt } from '@/lib/server/door/attempt'
import { getRevision } from '@/lib/server/process/revision'
import { parseEventParams } from '@/lib/view/activity/transcript-events'

export const metadata: Metadata = { title: 'Activity of transcripts' }

export default async function TranscriptEventsPage({ searchParams }: PageProps<'/activity/transcripts'>) {
  const search = await searchParams
  const params = parseEventParams((name) => [search[name]].flat()[0] ?? null)
  const asOf = await getRevision()
  const view = await attempt(() => getTranscriptEvents(params))
  if (!view.ok) return <ErrorState title="The database cannot be read" detail={view.problem} />
  return <TranscriptEvents initial={{ params, view: view.value }} asOf={asOf} />
}
