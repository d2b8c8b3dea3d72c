import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from '@/components/live/read-json'
import type { FindingsView } from '@/lib/view/findings/findings-page'

/** @param search the page's own, '' or `?…` */
export function findingsListQuery(search: string) {
  return queryOptions({
    queryKey: ['findings', search] as const,
    queryFn: ({ signal }) => fetchJson<FindingsView>(`/api/findings/list${search}`, signal),
  })
}
