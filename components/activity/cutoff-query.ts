import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fetchJson } from '@/components/live/read-json'
import {
  type CutoffParams,
  type CutoffView,
  cutoffQueryText,
  type TrialView,
} from '@/lib/view/activity/cutoff'

export function cutoffQuery(params: CutoffParams) {
  const query = cutoffQueryText({ ...params, from: null })
  return queryOptions({
    queryKey: ['activity', 'cut-off', query] as const,
    queryFn: ({ signal }) => fetchJson<CutoffView>(`/api/activity/cut-off${query}`, signal),
    placeholderData: keepPreviousData,
  })
}

export function trialQuery(params: CutoffParams) {
  const query = cutoffQueryText(params)
  return queryOptions({
    queryKey: ['cut-off trial', query] as const,
    queryFn: ({ signal }) => fetchJson<TrialView>(`/api/activity/trial${query}`, signal),
    placeholderData: keepPreviousData,
    // Asked for by hand; a session that goes on would make it run again and again.
    staleTime: Number.POSITIVE_INFINITY,
  })
}
