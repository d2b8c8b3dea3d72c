import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fetchJson } from '@/components/live/read-json'
import {
  type ColdDetail,
  type ColdName,
  type ColdParams,
  type ColdView,
  coldNameText,
  coldQueryText,
} from '@/lib/view/cold/cold-storage'

/** While the index is being brought up to date, and otherwise: drops of agents that log nothing show as well. */
const [BUSY_MS, QUIET_MS] = [1_000, 15_000]

export function coldQuery(params: ColdParams) {
  const query = coldQueryText(params)
  return queryOptions({
    queryKey: ['cold', 'list', query] as const,
    queryFn: ({ signal }) => fetchJson<ColdView>(`/api/cold-storage${query}`, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.progress ? BUSY_MS : QUIET_MS),
  })
}

export function coldChunkQuery(name: ColdName, target: string | null, place: 'neighbourhood' | 'end') {
  const query = `${coldNameText(name)}&place=${place}${target === null ? '' : `&target=${target}`}`
  return queryOptions({
    queryKey: ['cold', 'chunk', query] as const,
    queryFn: ({ signal }) => fetchJson<ColdDetail>(`/api/cold-storage/chunk?${query}`, signal),
    placeholderData: keepPreviousData,
  })
}
