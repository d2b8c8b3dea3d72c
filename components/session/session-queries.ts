import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fetchJson } from '@/components/live/read-json'
import type { FrameSeries } from '@/lib/view/charts/frames-series'
import type { SessionPolicy } from '@/lib/view/policy/policy-trial'
import type { CallColumns } from '@/lib/view/session/call-columns'
import type { ContextPage } from '@/lib/view/session/context-page'
import type { ContextChoice } from '@/lib/view/session/context-rows'
import type { EntryDetail, TextPiece, TranscriptPage } from '@/lib/view/session/entry-detail'
import type { FindResult } from '@/lib/view/session/find-result'
import { REVEAL } from '@/lib/view/session/reveal'
import type { CallRange } from '@/lib/view/session/scrub'
import type { CallProofView } from '@/lib/view/session/seen'
import type { SessionSummary } from '@/lib/view/session/session-head'
import { DEFAULT_SELECTION, selectionQuery } from '@/lib/view/session/session-selection'
import type { TurnPage } from '@/lib/view/session/turns'

/** Every key begins with `['session', id]`: the live line re-reads them when that session changes. */
export function summaryQuery(id: string) {
  return queryOptions({
    queryKey: ['session', id, 'summary'] as const,
    queryFn: ({ signal }) => fetchJson<SessionSummary>(`/api/sessions/${id}`, signal),
  })
}

/**
 * Frames of a range of calls (null: all), reduced to pixel columns. The chart keeps what it has until they are there.
 */
export function framesQuery(id: string, range: CallRange | null) {
  const search = range === null ? '' : `?from=${range.from}&to=${range.to}`
  return queryOptions({
    queryKey: ['session', id, 'frames', range?.from ?? null, range?.to ?? null] as const,
    queryFn: ({ signal }) => fetchJson<FrameSeries>(`/api/sessions/${id}/frames${search}`, signal),
    placeholderData: keepPreviousData,
  })
}

/** One page of exact calls (see `callsOfPage`). */
export function callPageQuery(id: string, page: number) {
  return queryOptions({
    queryKey: ['session', id, 'calls', page] as const,
    queryFn: ({ signal }) => fetchJson<CallColumns>(`/api/sessions/${id}/calls?page=${page + 1}`, signal),
  })
}

/** One page of what the model saw at a call. */
export function contextQuery(
  id: string,
  call: number,
  { sort, descending, category }: ContextChoice,
  page: number,
) {
  const choice: ContextChoice = { sort, descending, category }
  const search = selectionQuery({ ...DEFAULT_SELECTION, ...choice, call })
  return queryOptions({
    queryKey: ['session', id, 'context', call, choice, page] as const,
    queryFn: ({ signal }) =>
      fetchJson<ContextPage>(`/api/sessions/${id}/context${search}&page=${page + 1}`, signal),
  })
}

/** Whether what a call was sent is proved. Not under the session's key: a proof does not change when the session goes on. */
export function proofQuery(id: string, call: number) {
  return queryOptions({
    queryKey: ['proof', id, call] as const,
    queryFn: ({ signal }) => fetchJson<CallProofView>(`/api/sessions/${id}/proof?call=${call}`, signal),
    retry: false,
  })
}

/** One page of the transcript with the texts of its entries. */
export function transcriptQuery(id: string, page: number) {
  return queryOptions({
    queryKey: ['session', id, 'entries', page] as const,
    queryFn: ({ signal }) =>
      fetchJson<TranscriptPage>(`/api/sessions/${id}/entries?page=${page + 1}`, signal),
  })
}

/** One page of the turns. */
export function turnsQuery(id: string, page: number) {
  return queryOptions({
    queryKey: ['session', id, 'turns', page] as const,
    queryFn: ({ signal }) => fetchJson<TurnPage>(`/api/sessions/${id}/turns?page=${page + 1}`, signal),
  })
}

/**
 * One entry with its place and the beginning of its raw line; credentials are covered unless `reveal` says otherwise.
 */
export function entryQuery(id: string, seq: number, reveal: boolean) {
  return queryOptions({
    queryKey: ['session', id, 'entry', seq, reveal] as const,
    queryFn: ({ signal }) =>
      fetchJson<EntryDetail>(`/api/sessions/${id}/entries/${seq}${reveal ? `?${REVEAL}` : ''}`, signal),
  })
}

/** Where the words `q` occur in the session. */
export function findQuery(id: string, q: string) {
  return queryOptions({
    queryKey: ['session', id, 'find', q] as const,
    queryFn: ({ signal }) =>
      fetchJson<FindResult>(`/api/sessions/${id}/find?q=${encodeURIComponent(q)}`, signal),
  })
}

/**
 * A further piece of a text of an entry, from character `from` on; `block` null means the raw line. `saved`: of the whole
 * output that was saved beside the transcript in place of the part.
 */
export function readPiece(
  id: string,
  seq: number,
  {
    block,
    from,
    reveal,
    saved = false,
  }: { block: number | null; from: number; reveal: boolean; saved?: boolean },
): Promise<TextPiece> {
  const part = block === null ? '' : `&block=${block}`
  return fetchJson<TextPiece>(
    `/api/sessions/${id}/entries/${seq}/text?from=${from}${part}${saved ? '&saved=1' : ''}${reveal ? `&${REVEAL}` : ''}`,
  )
}

/** The beginning of an output that was saved beside the transcript in place of part `block`. */
export function savedOutputQuery(id: string, seq: number, block: number, reveal: boolean) {
  return queryOptions({
    queryKey: ['saved-output', id, seq, block, reveal] as const,
    queryFn: () => readPiece(id, seq, { block, from: 0, reveal, saved: true }),
    retry: false,
  })
}

/** The draft for a session and what its runtime does, by the files as they are. */
export function policyQuery(id: string) {
  return queryOptions({
    queryKey: ['session', id, 'policy'] as const,
    queryFn: ({ signal }) => fetchJson<SessionPolicy>(`/api/sessions/${id}/policy`, signal),
  })
}
