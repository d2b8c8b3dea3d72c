import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from '@/components/live/read-json'
import type { SessionFindingsView } from '@/lib/view/findings/session-findings'

/** What is wrong or dear in a session. */
export function sessionFindingsQuery(id: string) {
  return queryOptions({
    queryKey: ['session', id, 'findings'] as const,
    queryFn: ({ signal }) => fetchJson<SessionFindingsView>(`/api/sessions/${id}/findings/list`, signal),
  })
}
