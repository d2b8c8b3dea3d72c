import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fetchJson } from '@/components/live/read-json'
import {
  listQuery,
  SESSION_PAGE_ROWS,
  type SessionListFacets,
  type SessionListPage,
  type SessionListParams,
} from '@/lib/view/session-list/session-list'

/** One window of the list, counted from 0. */
export function sessionPageQuery(params: SessionListParams, page: number) {
  const query = listQuery(params)
  const offset = page * SESSION_PAGE_ROWS
  return queryOptions({
    queryKey: ['sessions', 'list', query, page] as const,
    queryFn: ({ signal }) =>
      fetchJson<SessionListPage>(`/api/sessions${query}${query === '' ? '?' : '&'}offset=${offset}`, signal),
    // The first window stays until the next choice's is there, so that typing does not make the list flicker.
    placeholderData: page === 0 ? keepPreviousData : undefined,
  })
}

export function sessionFacetsQuery() {
  return queryOptions({
    queryKey: ['sessions', 'facets'] as const,
    queryFn: ({ signal }) => fetchJson<SessionListFacets>('/api/sessions/facets', signal),
  })
}
