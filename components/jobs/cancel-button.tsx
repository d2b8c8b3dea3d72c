'use client'

import { useState, useTransition } from 'react'
import { Button } from '@/components/ui/button'
import type { CancelAction } from '@/lib/view/jobs/job-answers'
import type { JobView } from '@/lib/view/jobs/jobs'

/** Asks a job to stop, and says so where it cannot. */
export function CancelButton({ job, cancel }: { job: JobView; cancel: CancelAction }) {
  const [busy, start] = useTransition()
  const [problem, setProblem] = useState<string | null>(null)

  function press() {
    start(async () => {
      const answer = await cancel(job.id)
      setProblem(answer.kind === 'done' ? null : answer.problem)
    })
  }

  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button onClick={press} disabled={busy} aria-label={`Cancel: ${job.title}`}>
        {busy ? 'Cancelling …' : 'Cancel'}
      </Button>
      {problem !== null && (
        <p role="status" className="text-label text-attention">
          {problem}
        </p>
      )}
    </div>
  )
}
