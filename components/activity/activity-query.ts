import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fetchJson } from '@/components/live/read-json'
import { type ActivityParams, type ActivityView, activityQueryText } from '@/lib/view/activity/activity'

export function activityQuery(params: ActivityParams) {
  const query = activityQueryText(params)
  return queryOptions({
    queryKey: ['activity', 'logs', query] as const,
    queryFn: ({ signal }) => fetchJson<ActivityView>(`/api/activity${query}`, signal),
    placeholderData: keepPreviousData,
  })
}
