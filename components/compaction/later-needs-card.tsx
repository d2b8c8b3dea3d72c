'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { HostileText } from '@/components/entry/hostile-text'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ErrorState } from '@/components/ui/error-state'
import { PageLink } from '@/components/ui/page-link'
import { LoadingNote, Skeleton } from '@/components/ui/skeleton'
import type { PlanKnobs } from '@/lib/view/compaction/plan-knobs'
import { labAddress } from '@/lib/view/lab/lab-place'
import { ASSUMPTION } from '@/lib/view/lab/result-words'
import { laterNeedsQuery } from './compact-queries'
import { useQuiet } from './use-quiet'

/** What the plan at a past call would have lost of what was needed later; made on request. */
export function LaterNeedsCard({
  id,
  knobs,
  onSource,
}: {
  id: string
  knobs: PlanKnobs
  /** Opens the source of an entry. */
  onSource: (seq: number) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const quiet = useQuiet(knobs)
  const { data, error, isPending } = useQuery({ ...laterNeedsQuery(id, quiet), enabled: isOpen })
  return (
    <Card
      title="What was needed later"
      note={`of what this plan takes away, ${ASSUMPTION}`}
      aside={
        <Button onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? 'Close' : 'Look'}
        </Button>
      }
    >
      {isOpen && error !== null && <ErrorState title="It could not be found out" detail={error.message} />}
      {isOpen && isPending && error === null && (
        <>
          <LoadingNote what="what was needed later" />
          <Skeleton className="h-16 w-full" />
        </>
      )}
      {isOpen && data?.kind === 'unknown' && <p className="text-table text-muted">{data.why}</p>}
      {isOpen && data?.kind === 'needs' && (
        <div className="flex flex-col gap-2 text-table" data-testid="later-needs">
          <p className="tnum">{data.sentence}</p>
          <ul aria-label="Heaviest unmet needs" className="flex flex-col gap-2">
            {data.worst.map(({ key, text, words, source, needed }) => (
              <li key={key} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
                <code className="isolate-text min-w-0 font-medium break-all">
                  <HostileText text={text} />
                </code>
                <span className="tnum text-label text-muted">{words}</span>
                <button
                  type="button"
                  className="text-accent hover:underline"
                  onClick={() => onSource(source)}
                >
                  What goes
                </button>
                <PageLink
                  href={`/sessions/${id}/transcript?entry=${needed}`}
                  className="text-accent hover:underline"
                >
                  What needed it
                </PageLink>
              </li>
            ))}
          </ul>
          <PageLink href={labAddress({ session: id })} className="text-accent hover:underline">
            Compare policies over this session in the Lab
          </PageLink>
        </div>
      )}
    </Card>
  )
}
