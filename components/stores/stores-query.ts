import { queryOptions } from '@tanstack/react-query'
import { readJson } from '@/components/live/read-json'
import type { StoresView } from '@/lib/view/stores'

export function storesQuery() {
  return queryOptions({
    queryKey: ['stores'] as const,
    queryFn: ({ signal }) => readJson<StoresView>('/api/stores', signal),
  })
}
