import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { readJson } from '@/components/live/read-json'
import { type ActivityParams, type ActivityView, activityQueryText } from '@/lib/view/activity'

export function activityQuery(params: ActivityParams) {
  const query = activityQueryText(params)
  return queryOptions({
    queryKey: ['activity', 'logs', query] as const,
    queryFn: ({ signal }) => readJson<ActivityView>(`/api/activity${query}`, signal),
    placeholderData: keepPreviousData,
  })
}
