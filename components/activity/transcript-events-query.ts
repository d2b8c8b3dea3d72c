import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fetchJson } from '@/components/live/read-json'
import { type EventParams, type EventsView, eventQueryText } from '@/lib/view/activity/transcript-events'

export function transcriptEventsQuery(params: EventParams) {
  const query = eventQueryText(params)
  return queryOptions({
    queryKey: ['activity', 'transcripts', query] as const,
    queryFn: ({ signal }) => fetchJson<EventsView>(`/api/activity/transcripts${query}`, signal),
    placeholderData: keepPreviousData,
  })
}
