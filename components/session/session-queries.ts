import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { readJson } from '@/components/live/read-json'
import type { CallColumns } from '@/lib/view/call-columns'
import type { ContextPage } from '@/lib/view/context-page'
import type { ContextChoice } from '@/lib/view/context-rows'
import type { EntryDetail, TextPiece, TranscriptPage } from '@/lib/view/entry-detail'
import type { FindResult } from '@/lib/view/find-result'
import type { FrameSeries } from '@/lib/view/frames-series'
import type { SessionPolicy } from '@/lib/view/policy-trial'
import { REVEAL } from '@/lib/view/reveal'
import type { CallRange } from '@/lib/view/scrub'
import type { SessionSummary } from '@/lib/view/session-head'
import { DEFAULT_SELECTION, selectionQuery } from '@/lib/view/session-selection'
import type { TurnPage } from '@/lib/view/turns'

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
      readJson<ContextPage>(`/api/sessions/${id}/context${search}&page=${page + 1}`, signal),
  })
}

/** One page of the transcript with the texts of its entries. */
export function transcriptQuery(id: string, page: number) {
  return queryOptions({
    queryKey: ['session', id, 'entries', page] as const,
    queryFn: ({ signal }) => readJson<TranscriptPage>(`/api/sessions/${id}/entries?page=${page + 1}`, signal),
  })
}

/** One page of the turns. */
export function turnsQuery(id: string, page: number) {
  return queryOptions({
    queryKey: ['session', id, 'turns', page] as const,
    queryFn: ({ signal }) => readJson<TurnPage>(`/api/sessions/${id}/turns?page=${page + 1}`, signal),
  })
}

/** One entry with its place and the beginning of its raw line; credentials are covered unless `reveal` says otherwise. */
export function entryQuery(id: string, seq: number, reveal: boolean) {
  return queryOptions({
    queryKey: ['session', id, 'entry', seq, reveal] as const,
    queryFn: ({ signal }) =>
      readJson<EntryDetail>(`/api/sessions/${id}/entries/${seq}${reveal ? `?${REVEAL}` : ''}`, signal),
  })
}

/** Where the words `q` stand in the session. */
export function findQuery(id: string, q: string) {
  return queryOptions({
    queryKey: ['session', id, 'find', q] as const,
    queryFn: ({ signal }) =>
      readJson<FindResult>(`/api/sessions/${id}/find?q=${encodeURIComponent(q)}`, signal),
  })
}

/** A further piece of a text of an entry, from character `from` on; `block` null means the raw line. */
export function readPiece(
  id: string,
  seq: number,
  { block, from, reveal }: { block: number | null; from: number; reveal: boolean },
): Promise<TextPiece> {
  const part = block === null ? '' : `&block=${block}`
  return readJson<TextPiece>(
    `/api/sessions/${id}/entries/${seq}/text?from=${from}${part}${reveal ? `&${REVEAL}` : ''}`,
  )
}

/** The policy in force for a session, by the files as they are. */
export function policyQuery(id: string) {
  return queryOptions({
    queryKey: ['session', id, 'policy'] as const,
    queryFn: ({ signal }) => readJson<SessionPolicy>(`/api/sessions/${id}/policy`, signal),
  })
}
