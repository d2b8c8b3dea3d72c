'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState, useTransition } from 'react'
import { CancelButton } from '@/components/jobs/cancel-button'
import { JobProgressBar } from '@/components/jobs/job-progress'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ErrorState } from '@/components/ui/error-state'
import { saveAddress } from '@/components/ui/save-file'
import { Moment } from '@/components/ui/time'
import type { DoneAnswer } from '@/lib/view/actions/action-answer'
import type { OpenExperiment, RunAnswer } from '@/lib/view/lab/lab-page'
import { useLabActions } from './lab-actions'
import { NameEditor } from './name-editor'

/** An experiment: what is wanted, how far it is, what came of it, and what can be done with it. */
export function OpenExperimentView({ experiment }: { experiment: OpenExperiment }) {
  const { id, name, about, createdAt, job, outcome } = experiment
  const router = useRouter()
  const client = useQueryClient()
  const { runAgain, rename, remove, cancel } = useLabActions()
  const [problem, setProblem] = useState<string | null>(null)
  const [isNaming, setNaming] = useState(false)
  const [isSure, setSure] = useState(false)
  const [busy, start] = useTransition()
  const isRunning = job?.open === true

  function act(work: () => Promise<DoneAnswer | RunAnswer>, after?: () => void) {
    start(async () => {
      const answer = await work()
      setProblem(answer.kind === 'refused' ? answer.problem : null)
      await client.invalidateQueries({ queryKey: ['lab'] })
      if (answer.kind !== 'refused') after?.()
    })
  }

  return (
    <Card
      title={<span className="isolate-text">{name}</span>}
      note={
        <>
          {`${about} · begun `}
          <Moment at={createdAt} />
        </>
      }
      aside={
        <>
          <Button kind="quiet" onClick={() => setNaming(true)}>
            Rename
          </Button>
          <Button kind="quiet" disabled={busy || isRunning} onClick={() => act(() => runAgain(id))}>
            {outcome === null && !isRunning ? 'Go on' : 'Run again'}
          </Button>
          {outcome !== null && (
            <Button
              kind="quiet"
              onClick={() =>
                saveAddress({ name: `plimsoll-experiment-${id}.json`, href: `/api/lab/export/${id}` })
              }
            >
              Save as JSON
            </Button>
          )}
          <Button kind="quiet" disabled={busy || isRunning} onClick={() => setSure(true)}>
            Delete
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {isNaming && (
          <NameEditor
            name={name}
            onSave={(next) =>
              act(
                () => rename(id, next),
                () => setNaming(false),
              )
            }
            onClose={() => setNaming(false)}
          />
        )}
        {isSure && (
          <div role="alert" className="flex flex-wrap items-center gap-2 text-table">
            Delete this experiment and its result? Sessions that were prepared stay prepared.
            <Button
              disabled={busy}
              onClick={() =>
                act(
                  () => remove(id),
                  () => router.push('/lab'),
                )
              }
            >
              Delete it
            </Button>
            <Button kind="quiet" onClick={() => setSure(false)}>
              Keep it
            </Button>
          </div>
        )}
        {problem !== null && <ErrorState title="This was not done" detail={problem} />}
        {isRunning && job !== null && (
          <div className="flex flex-col gap-2" data-testid="running">
            <JobProgressBar job={job} />
            <div className="flex flex-wrap items-center gap-3">
              <CancelButton job={job} cancel={cancel} />
              <p className="text-label text-muted">It goes on when you leave the page.</p>
            </div>
          </div>
        )}
        {!isRunning && outcome === null && (
          <p role="status" className="flex flex-wrap items-center gap-2 text-table">
            {job !== null && <Badge tone={job.tone}>{job.state}</Badge>}
            <span className="isolate-text max-w-[80ch]">
              {job?.state === 'done'
                ? 'Another version of the program kept what came of it in another form. Run it again.'
                : `${job?.message ?? 'It was not run yet.'} It goes on where it was.`}
            </span>
          </p>
        )}
        {!isRunning && outcome !== null && job !== null && job.state !== 'done' && (
          <ErrorState
            title="The last run did not end"
            detail={`${job.message ?? job.meaning} What is shown is the run before.`}
          />
        )}
        {outcome !== null && (
          <p className="text-table text-muted">
            {'Result of '}
            <Moment at={outcome.endedAt} />
            {` · hash ${outcome.hash}: the same input gives the same one.`}
            {outcome.isOld && ' What it was made with has changed since: run it again.'}
          </p>
        )}
      </div>
    </Card>
  )
}
