'use client'

import { useQuery } from '@tanstack/react-query'
import { LossesList } from '@/components/compaction/losses-list'
import { HostileText } from '@/components/entry/hostile-text'
import { ErrorState } from '@/components/ui/error-state'
import { LoadingNote, Skeleton } from '@/components/ui/skeleton'
import { scrollRegion } from '@/components/ui/table'
import { type CompactionItem, lookedWords } from '@/lib/view/compaction/compactions'
import { compactionQuery } from './compactions-query'

/** The summary as it was written, and what it did not carry on. */
export function CompactionDetail({
  id,
  seq,
  kind,
  onOpen,
}: {
  id: string
  seq: number
  kind: CompactionItem['kind']
  /** Opens the source of an entry. */
  onOpen: (seq: number) => void
}) {
  const query = useQuery(compactionQuery(id, seq))
  if (query.isError)
    return <ErrorState title="This compaction could not be read" detail={query.error.message} />
  if (query.isPending)
    return (
      <>
        <LoadingNote what="the summary and the losses" />
        <Skeleton className="h-32 w-full" />
      </>
    )
  const detail = query.data
  return (
    <div className="grid min-w-0 gap-4 border-t border-line pt-3 lg:grid-cols-2">
      {kind !== 'reset' && (
        <div className="min-w-0">
          <h3 className="mb-1 text-label font-medium text-muted">Summary</h3>
          {detail.summary === null ? (
            <p className="text-table text-muted">
              Unknown: the provider keeps what it made of the conversation encrypted.
            </p>
          ) : detail.summary === '' ? (
            <p className="text-table text-attention">The record holds no summary.</p>
          ) : (
            <section
              {...scrollRegion('Summary')}
              data-testid="summary"
              className="isolate-text max-h-96 overflow-y-auto rounded-md border border-line bg-inset p-3 text-table break-words whitespace-pre-wrap"
            >
              <HostileText text={detail.summary} />
            </section>
          )}
        </div>
      )}
      <div className="min-w-0" data-testid="losses">
        <h3 className="mb-1 text-label font-medium text-muted">Lost by name</h3>
        {detail.losses === null ? (
          <p className="text-table text-muted">
            Unknown: nothing that left the context is known to be lost, as what was kept cannot be read.
          </p>
        ) : (
          <>
            <LossesList losses={detail.losses} later onOpen={onOpen} />
            <p className="mt-2 text-label text-muted">{lookedWords(detail)}</p>
          </>
        )}
      </div>
    </div>
  )
}
