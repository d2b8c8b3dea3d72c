'use client'

import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fetchJson } from '@/components/live/read-json'
import { Button } from '@/components/ui/button'
import { deviationText, type ExactReport, exactBasis, exactNotes } from '@/lib/view/session/exact-count'
import { formatCount } from '@/lib/view/text/format'
import { visibleLine } from '@/lib/view/text/visible-text'

/**
 * Counts the texts of a call, or of one entry of it, on request, and shows the count beside the estimate. Give
 * it a key of call and entry: another one begins anew.
 */
export function ExactCountButton({ id, call, seq }: { id: string; call: number; seq: number | null }) {
  const client = useQueryClient()
  // What was counted before is there at once. Until it is asked for, no step of the scrubber makes a query.
  const [asked, setAsked] = useState(
    () => client.getQueryData(exactQuery(id, call, seq).queryKey) !== undefined,
  )
  return (
    <div
      data-testid="exact-count"
      className="tnum flex flex-col items-start gap-1 text-label"
      aria-live="polite"
    >
      {asked ? (
        <ExactCount id={id} call={call} seq={seq} />
      ) : (
        <Button onClick={() => setAsked(true)} className="h-7 text-label">
          Exact count
        </Button>
      )}
    </div>
  )
}

function exactQuery(id: string, call: number, seq: number | null) {
  return queryOptions({
    // Not under the session's key: what was counted does not change when the session goes on.
    queryKey: ['exact', id, call, seq] as const,
    queryFn: ({ signal }) =>
      fetchJson<ExactReport>(
        `/api/sessions/${id}/exact?call=${call}${seq === null ? '' : `&entry=${seq}`}`,
        signal,
      ),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

function ExactCount({ id, call, seq }: { id: string; call: number; seq: number | null }) {
  const query = useQuery(exactQuery(id, call, seq))
  if (query.data) return <Counted report={query.data} />
  const busy = query.isFetching
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button disabled={busy} onClick={() => query.refetch()} className="h-7 text-label">
        {busy ? 'Counting …' : 'Exact count'}
      </Button>
      {query.isError && <span className="text-danger">{visibleLine(query.error.message)}</span>}
    </div>
  )
}

function Counted({ report }: { report: ExactReport }) {
  const { tokens, estimated } = report
  const deviation = deviationText(estimated, tokens)
  return (
    <>
      <p>
        <span className="text-muted">Counted </span>
        <span className="font-medium">{formatCount(tokens)}</span>
        {` tokens, ${exactBasis(report)}`}
        {estimated !== null && (
          <>
            <span className="text-muted"> · estimated </span>
            {`${formatCount(estimated)}\u202f≈${deviation === '' ? '' : ` (${deviation})`}`}
          </>
        )}
      </p>
      <p className="isolate-text text-muted">{visibleLine(exactNotes(report).join(' '))}</p>
    </>
  )
}
