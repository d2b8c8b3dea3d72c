'use client'

import { useState } from 'react'
import { type UndoAction, UndoDialog } from '@/components/audit/undo-dialog'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { UndoGlyph } from '@/components/ui/glyphs'
import { PageLink } from '@/components/ui/page-link'
import { Moment } from '@/components/ui/time'
import type { CancelAction } from '@/lib/view/jobs/job-answers'
import type { JobView } from '@/lib/view/jobs/jobs'
import { formatDuration } from '@/lib/view/text/format'
import { CancelButton } from './cancel-button'
import { JobProgressBar } from './job-progress'

/** One job: how far it is, or what came of it, with its receipt and the way back. */
export function JobItem({ job, cancel, undo }: { job: JobView; cancel: CancelAction; undo: UndoAction }) {
  const [undoing, setUndoing] = useState(false)
  const { receipt } = job
  return (
    <div id={job.id} className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3 target:bg-accent-soft">
      <div className="flex min-w-0 flex-[1_1_18rem] flex-col gap-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="isolate-text font-medium">{job.title}</span>
          <Badge tone={job.tone} title={job.meaning}>
            {job.state}
          </Badge>
        </p>
        {job.open ? <JobProgressBar job={job} /> : <Outcome job={job} />}
        <p className="flex flex-wrap gap-x-3 gap-y-1 text-table text-muted">
          <span>
            {job.endedAt === null ? 'begun ' : 'ended '}
            <Moment at={job.endedAt ?? job.startedAt ?? job.createdAt} />
            {took(job)}
          </span>
          {job.about !== null && (
            <PageLink href={job.about.href} className="text-accent hover:underline">
              {job.about.label}
            </PageLink>
          )}
          {receipt !== null && (
            <PageLink href={receipt.href} className="text-accent hover:underline">
              {receipt.entry.state === 'undone' ? 'Receipt (taken back)' : 'Receipt'}
            </PageLink>
          )}
        </p>
      </div>
      {job.open && <CancelButton job={job} cancel={cancel} />}
      {receipt?.entry.canUndo === true && (
        <Button onClick={() => setUndoing(true)} aria-label={`Undo: ${job.title}`}>
          <UndoGlyph />
          Undo…
        </Button>
      )}
      {undoing && receipt !== null && (
        <UndoDialog entry={receipt.entry} undo={undo} onClose={() => setUndoing(false)} />
      )}
    </div>
  )
}

function Outcome({ job }: { job: JobView }) {
  const tone = job.tone === 'danger' ? 'text-danger' : undefined
  return (
    <>
      {job.message !== null && (
        <p className={`isolate-text max-w-[80ch] text-table ${tone ?? ''}`}>{job.message}</p>
      )}
      {job.writeSays !== null && <p className="isolate-text max-w-[80ch] text-table">{job.writeSays}</p>}
    </>
  )
}

function took({ startedAt, endedAt }: JobView): string {
  return startedAt === null || endedAt === null ? '' : `, took ${formatDuration(endedAt - startedAt)}`
}
