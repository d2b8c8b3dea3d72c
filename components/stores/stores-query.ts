import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from '@/components/live/read-json'
import type { StoresView } from '@/lib/view/stores/stores'

export function storesQuery() {
  return queryOptions({
    queryKey: ['stores'] as const,
    queryFn: ({ signal }) => fetchJson<StoresView>('/api/stores', signal),
  })
}
