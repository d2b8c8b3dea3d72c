import { queryOptions } from '@tanstack/react-query'
import { readJson } from '@/components/live/read-json'
import type { AuditView } from '@/lib/view/audit'

export function auditQuery(page: number) {
  return queryOptions({
    queryKey: ['audit', page] as const,
    queryFn: ({ signal }) => readJson<AuditView>(`/api/audit?page=${page}`, signal),
  })
}
