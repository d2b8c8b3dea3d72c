import { queryOptions } from '@tanstack/react-query'
import { readJson } from '@/components/live/read-json'
import type { CompactionDetailView, CompactionsView } from '@/lib/view/compactions'

/** Every key begins with `['session', id]`: the live line re-reads them when that session changes. */
export function compactionsQuery(id: string) {
  return queryOptions({
    queryKey: ['session', id, 'compactions'] as const,
    queryFn: ({ signal }) => readJson<CompactionsView>(`/api/sessions/${id}/compactions`, signal),
  })
}

/** What stands behind one of them. */
export function compactionQuery(id: string, seq: number) {
  return queryOptions({
    queryKey: ['session', id, 'compactions', seq] as const,
    queryFn: ({ signal }) => readJson<CompactionDetailView>(`/api/sessions/${id}/compactions/${seq}`, signal),
  })
}
