import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from '@/components/live/read-json'
import type { OverviewView } from '@/lib/view/overview/overview'

/** The Overview for a period, in days. */
export function overviewQuery(period: number) {
  return queryOptions({
    queryKey: ['overview', period] as const,
    queryFn: ({ signal }) => fetchJson<OverviewView>(`/api/overview?days=${period}`, signal),
  })
}
