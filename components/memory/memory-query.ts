import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { readJson } from '@/components/live/read-json'
import type { FactAnswer, MemoryView } from '@/lib/view/memory'

/** Agents write their memory while the page is open. Milliseconds. */
const AGAIN_MS = 5_000

export function memoryQuery(query: string) {
  return queryOptions({
    queryKey: ['memory', query] as const,
    queryFn: ({ signal }) => readJson<MemoryView>(`/api/memory?q=${encodeURIComponent(query)}`, signal),
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
  })
}

export type FactActions = {
  readonly add: (content: string) => Promise<FactAnswer>
  readonly edit: (
    id: string,
    change: {
      readonly content?: string
      readonly confidence?: number
      readonly state?: 'active' | 'archived'
    },
  ) => Promise<FactAnswer>
  readonly forget: (id: string) => Promise<FactAnswer>
}
