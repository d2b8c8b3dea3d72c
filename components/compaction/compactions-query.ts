import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from '@/components/live/read-json'
import type { CompactionDetailView, CompactionsView } from '@/lib/view/compaction/compactions'

/** Every key begins with `['session', id]`: the live line re-reads them when that session changes. */
export function compactionsQuery(id: string) {
  return queryOptions({
    queryKey: ['session', id, 'compactions'] as const,
    queryFn: ({ signal }) => fetchJson<CompactionsView>(`/api/sessions/${id}/compactions`, signal),
  })
}

/** The content of one of them. */
export function compactionQuery(id: string, seq: number) {
  return queryOptions({
    queryKey: ['session', id, 'compactions', seq] as const,
    queryFn: ({ signal }) =>
      fetchJson<CompactionDetailView>(`/api/sessions/${id}/compactions/${seq}`, signal),
  })
}
