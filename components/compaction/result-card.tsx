'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { UndoAction } from '@/components/audit/undo-dialog'
import { JobItem } from '@/components/jobs/job-item'
import { summaryQuery } from '@/components/session/session-queries'
import { Button } from '@/components/ui/button'
import { FigureText } from '@/components/ui/figure'
import { PageLink } from '@/components/ui/page-link'
import type { CancelAction } from '@/lib/view/jobs/job-answers'
import type { JobView } from '@/lib/view/jobs/jobs'

/** What came of a compaction: its progress, then the result with its receipt and the way back. */
export function ResultCard({
  id,
  job,
  wrote,
  focus,
  cancel,
  undo,
  onClose,
}: {
  id: string
  job: JobView
  /** It has changed the session, and that was not taken back: it is in the plan's place. */
  wrote: boolean
  /** It was begun by the reader, who is led here. */
  focus: boolean
  cancel: CancelAction
  undo: UndoAction
  /** Shows the plan for the session as it is now. */
  onClose: () => void
}) {
  const card = useRef<HTMLElement>(null)
  const head = useQuery(summaryQuery(id)).data?.head
  // The entry that was written carries the time of the job: until it is read, the size on record is the one before it.
  const isRead = head !== undefined && (head.updatedAt ?? 0) >= (job.startedAt ?? job.createdAt)
  // The outside system is what the reader looks at: the dialog that began it has closed.
  useEffect(() => {
    if (!focus) return
    card.current?.focus({ preventScroll: true })
    card.current?.scrollIntoView({ block: 'center' })
  }, [focus])
  return (
    <section
      ref={card}
      tabIndex={-1}
      aria-label="Result"
      data-testid="result"
      className="min-w-0 rounded-card border border-line-strong bg-surface outline-none"
    >
      <JobItem job={job} cancel={cancel} undo={undo} />
      {!job.open && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-4 py-3 text-table">
          {wrote && head !== undefined && (
            <p data-testid="result-size">
              <span className="text-muted">In the window now: </span>
              {isRead ? (
                <FigureText figure={head.context} unit="tokens" className="font-medium" />
              ) : (
                <span className="text-muted">it is being read</span>
              )}
            </p>
          )}
          <span className="flex flex-1 flex-wrap items-center justify-end gap-2">
            {wrote && (
              <PageLink href={`/sessions/${id}/compactions`} className="text-accent hover:underline">
                Summary and losses
              </PageLink>
            )}
            <Button onClick={onClose}>{wrote ? 'Plan again' : 'Close'}</Button>
          </span>
        </div>
      )}
    </section>
  )
}
