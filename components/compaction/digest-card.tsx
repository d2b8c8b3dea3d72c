'use client'

import { useQuery } from '@tanstack/react-query'
import { HostileText } from '@/components/entry/hostile-text'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ErrorState } from '@/components/ui/error-state'
import { LoadingNote, Skeleton } from '@/components/ui/skeleton'
import { scrollRegion } from '@/components/ui/table'
import type { SummarySource } from '@/lib/core/compaction/plan'
import type { PlanKnobs } from '@/lib/view/compaction/plan-knobs'
import { formatQuantity } from '@/lib/view/text/format'
import { digestQuery, lossesQuery } from './compact-queries'
import { LossesList } from './losses-list'
import { useQuiet } from './use-quiet'

const NOTES: { readonly [S in SummarySource]: string } = {
  model: 'the run asks a model; this is the digest that is used if it fails',
  digest: 'the digest as it would be written, and what it does not carry on',
  checkpoint: 'the agent’s own checkpoint, a digest of what came after it, and what they do not carry on',
}

/** The digest that the plan would leave, and what would be lost beside it; made on request. */
export function DigestCard({
  id,
  knobs,
  open,
  source,
  onToggle,
  onSource,
}: {
  id: string
  knobs: PlanKnobs
  open: boolean
  /** Where the summary of the run itself comes from. */
  source: SummarySource
  onToggle: () => void
  /** Opens the source of an entry. */
  onSource: (seq: number) => void
}) {
  const quiet = useQuiet(knobs)
  const query = useQuery({ ...digestQuery(id, quiet), enabled: open })
  const losses = useQuery({ ...lossesQuery(id, quiet), enabled: open && query.isSuccess })
  return (
    <Card
      title="Summary and losses"
      note={NOTES[source]}
      aside={
        <Button onClick={onToggle} aria-expanded={open}>
          {open ? 'Close' : 'Preview'}
        </Button>
      }
    >
      {open && query.isError && (
        <ErrorState title="The digest could not be made" detail={query.error.message} />
      )}
      {open && query.isPending && (
        <>
          <LoadingNote what="the digest" />
          <Skeleton className="h-40 w-full" />
        </>
      )}
      {open && query.data && (
        <div className="flex flex-col gap-4">
          <div>
            <p className="tnum mb-1 text-label text-muted">
              {`${source === 'checkpoint' ? 'Checkpoint' : 'Digest'}, about ${formatQuantity(query.data.tokens, 'token')}`}
            </p>
            <section
              {...scrollRegion('Digest')}
              data-testid="digest"
              className="max-h-96 overflow-y-auto rounded-md border border-line bg-inset p-3 text-table whitespace-pre-wrap isolate-text"
            >
              <HostileText text={query.data.text} />
            </section>
          </div>
          <div data-testid="would-lose">
            <h3 className="mb-1 text-label font-medium text-muted">Would be lost by name</h3>
            {losses.isError && (
              <ErrorState title="The losses could not be worked out" detail={losses.error.message} />
            )}
            {losses.isPending && (
              <>
                <LoadingNote what="the losses" />
                <Skeleton className="h-16 w-full" />
              </>
            )}
            {losses.data && <LossesList losses={losses.data} later={false} onOpen={onSource} />}
          </div>
        </div>
      )}
      {!open && (
        <p className="text-table text-muted">
          Nothing is sent anywhere for it: it is made here, from the messages themselves.
        </p>
      )}
    </Card>
  )
}
