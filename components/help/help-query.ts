import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from '@/components/live/read-json'
import type { HelpEntry } from '@/lib/view/help/find-help'

/** Words and parts of the help. They change with the release only. */
export function helpQuery() {
  return queryOptions({
    queryKey: ['help'] as const,
    queryFn: ({ signal }) => fetchJson<readonly HelpEntry[]>('/api/help', signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
