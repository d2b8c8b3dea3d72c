import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fetchJson } from '@/components/live/read-json'
import type { DoneAnswer } from '@/lib/view/actions/action-answer'
import type { MemoryView } from '@/lib/view/memory/memory'

/** Agents write their memory while the page is open. Milliseconds. */
const AGAIN_MS = 5_000

export function memoryQuery(query: string) {
  return queryOptions({
    queryKey: ['memory', query] as const,
    queryFn: ({ signal }) => fetchJson<MemoryView>(`/api/memory?q=${encodeURIComponent(query)}`, signal),
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
  })
}

export type FactActions = {
  readonly add: (content: string) => Promise<DoneAnswer>
  readonly edit: (
    id: string,
    change: {
      readonly content?: string
      readonly confidence?: number
      readonly state?: 'active' | 'archived'
    },
  ) => Promise<DoneAnswer>
  readonly forget: (id: string) => Promise<DoneAnswer>
}
