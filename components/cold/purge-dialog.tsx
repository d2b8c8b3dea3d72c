'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { ErrorState } from '@/components/ui/error-state'
import { LoadingNote, Skeleton } from '@/components/ui/skeleton'
import type { ColdAnswer, PurgePreview } from '@/lib/view/cold/cold-storage'
import { formatCount, formatQuantity } from '@/lib/view/text/format'
import type { ColdActions } from './cold-actions'

/** Says what a purge takes away before it does so. There is no way back. */
export function PurgeDialog({ actions, onClose }: { actions: ColdActions; onClose: () => void }) {
  const client = useQueryClient()
  const { data } = useQuery({ queryKey: ['cold', 'purge'], queryFn: actions.previewPurge, gcTime: 0 })
  const preview = data?.kind === 'planned' ? data.preview : null
  const [busy, start] = useTransition()
  const [answer, setAnswer] = useState<ColdAnswer | null>(null)

  function purge(stamp: string) {
    start(async () => {
      setAnswer(await actions.purge(stamp))
      await client.invalidateQueries({ queryKey: ['cold'] })
    })
  }

  return (
    <Dialog open onClose={onClose} title="Purge what has expired?">
      <div className="flex flex-col gap-3">
        {data === undefined && (
          <>
            <LoadingNote what="what has expired" />
            <Skeleton className="h-40 w-full" />
          </>
        )}
        {data?.kind === 'refused' && (
          <ErrorState title="What has expired is not known" detail={data.problem} />
        )}
        {preview !== null && answer === null && <Preview preview={preview} />}
        {answer?.kind === 'refused' && <ErrorState title="Nothing was removed" detail={answer.problem} />}
        {answer !== null && answer.kind !== 'refused' && (
          <p role="status" className="text-table text-ok">
            {answer.message}
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{answer === null ? 'Cancel' : 'Close'}</Button>
          {preview !== null && answer?.kind !== 'done' && preview.chunks > 0 && (
            <Button kind="primary" disabled={busy} onClick={() => purge(preview.stamp)}>
              {busy ? 'Removing …' : `Remove ${formatQuantity(preview.chunks, 'chunk')} for good`}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  )
}

function Preview({ preview }: { preview: PurgePreview }) {
  const { chunks, tokens, unknownTokens, keep, rows } = preview
  if (chunks === 0)
    return <p className="text-table text-muted">Nothing has expired; nothing would be removed.</p>
  const unknown = unknownTokens === 0 ? '' : ` and ${formatCount(unknownTokens)} of unknown size`
  return (
    <>
      <p className="max-w-[80ch] text-table">
        {`${formatQuantity(chunks, 'expired chunk')} with ${formatCount(tokens)} tokens${unknown} would be removed for good; ${formatQuantity(keep, 'chunk')} would stay. This cannot be undone.`}
      </p>
      <ul className="rounded-md border border-line text-label">
        {rows.map((row) => (
          <li
            key={`${row.sessionId} ${row.chunkId} ${row.at}`}
            className="isolate-text line-clamp-1 border-b border-line px-3 py-1 last:border-0"
          >
            {row.snippet.map(({ text }) => text).join('')}
          </li>
        ))}
      </ul>
      {chunks > rows.length && (
        <p className="text-label text-muted">{`and ${formatCount(chunks - rows.length)} more`}</p>
      )}
    </>
  )
}
