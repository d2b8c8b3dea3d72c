import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from '@/components/live/read-json'
import type { AuditView } from '@/lib/view/audit/audit'

export function auditQuery(page: number) {
  return queryOptions({
    queryKey: ['audit', page] as const,
    queryFn: ({ signal }) => fetchJson<AuditView>(`/api/audit?page=${page}`, signal),
  })
}
