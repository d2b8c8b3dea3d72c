import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { readJson } from '@/components/live/read-json'
import type { CallColumns } from '@/lib/view/call-columns'
import type { ContextPage } from '@/lib/view/context-page'
import type { ContextChoice } from '@/lib/view/context-rows'
import type { FrameSeries } from '@/lib/view/frames-series'
import type { CallRange } from '@/lib/view/scrub'
import type { SessionSummary } from '@/lib/view/session-head'
import { DEFAULT_SELECTION, selectionQuery } from '@/lib/view/session-selection'

/** Every key begins with `['session', id]`: the live line re-reads them when that session changes. */
export function summaryQuery(id: string) {
  return queryOptions({
    queryKey: ['session', id, 'summary'] as const,
    queryFn: ({ signal }) => readJson<SessionSummary>(`/api/sessions/${id}`, signal),
  })
}

/** Frames of a range of calls (null: all), reduced to pixel columns. The chart keeps what it has until they are there. */
export function framesQuery(id: string, range: CallRange | null) {
  const search = range === null ? '' : `?from=${range.from}&to=${range.to}`
  return queryOptions({
    queryKey: ['session', id, 'frames', range?.from ?? null, range?.to ?? null] as const,
    queryFn: ({ signal }) => readJson<FrameSeries>(`/api/sessions/${id}/frames${search}`, signal),
    placeholderData: keepPreviousData,
  })
}

/** One page of exact calls (see `callsOfPage`). */
export function callPageQuery(id: string, page: number) {
  return queryOptions({
    queryKey: ['session', id, 'calls', page] as const,
    queryFn: ({ signal }) => readJson<CallColumns>(`/api/sessions/${id}/calls?page=${page + 1}`, signal),
  })
}

/** One page of what the model saw at a call. */
export function contextQuery(id: string, call: number, choice: ContextChoice, page: number) {
  const search = selectionQuery({ ...DEFAULT_SELECTION, ...choice, call })
  return queryOptions({
    queryKey: ['session', id, 'context', call, choice, page] as const,
    queryFn: ({ signal }) =>
      readJson<ContextPage>(`/api/sessions/${id}/context${search}&page=${page + 1}`, signal),
  })
}
