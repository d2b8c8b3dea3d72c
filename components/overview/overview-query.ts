import { queryOptions } from '@tanstack/react-query'
import { readJson } from '@/components/live/read-json'
import type { OverviewView } from '@/lib/view/overview'

/** The Overview for a period, in days. */
export function overviewQuery(period: number) {
  return queryOptions({
    queryKey: ['overview', period] as const,
    queryFn: ({ signal }) => readJson<OverviewView>(`/api/overview?days=${period}`, signal),
  })
}
