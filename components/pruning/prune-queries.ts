import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fetchJson } from '@/components/live/read-json'
import { type PruneKnobs, pruneKnobsSearch } from '@/lib/view/pruning/prune-knobs'
import type { PruneTextPage, PruneTextRow, PruneView } from '@/lib/view/pruning/prune-preview'

/** Every key begins with `['session', id]`: the live line re-reads them when that session changes. */
export function pruneQuery(id: string, knobs: PruneKnobs) {
  const search = pruneKnobsSearch(knobs)
  return queryOptions({
    queryKey: ['session', id, 'prune', search] as const,
    queryFn: ({ signal }) => fetchJson<PruneView>(`/api/sessions/${id}/prune${search}`, signal),
    placeholderData: keepPreviousData,
  })
}

/** One page of the texts that rules could ask for. */
export function textsQuery(
  id: string,
  knobs: PruneKnobs,
  action: PruneTextRow['action'] | null,
  page: number,
) {
  const search = new URLSearchParams(pruneKnobsSearch(knobs))
  if (action !== null) search.set('action', action)
  search.set('page', String(page + 1))
  return queryOptions({
    queryKey: ['session', id, 'prune-texts', String(search)] as const,
    queryFn: ({ signal }) => fetchJson<PruneTextPage>(`/api/sessions/${id}/prune/texts?${search}`, signal),
    placeholderData: keepPreviousData,
  })
}
