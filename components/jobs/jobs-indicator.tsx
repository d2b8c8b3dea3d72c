'use client'

import { useQuery } from '@tanstack/react-query'
import { useId, useRef } from 'react'
import { buttonClasses } from '@/components/ui/button'
import { classes } from '@/components/ui/classes'
import { JobsGlyph } from '@/components/ui/glyphs'
import { PageLink } from '@/components/ui/page-link'
import type { CancelAction } from '@/lib/view/jobs/job-answers'
import type { JobView } from '@/lib/view/jobs/jobs'
import { formatQuantity } from '@/lib/view/text/format'
import { CancelButton } from './cancel-button'
import { JobProgressBar } from './job-progress'
import { openJobsQuery } from './jobs-query'

/** How many jobs are under way, in the top bar; opens on their progress. On narrow screens only while there are any. */
export function JobsIndicator({ initial, cancel }: { initial: readonly JobView[]; cancel: CancelAction }) {
  const { data: jobs } = useQuery({ ...openJobsQuery(), initialData: initial })
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const count = jobs.length

  function place() {
    const anchor = button.current?.getBoundingClientRect()
    if (!panel.current || !anchor) return
    const { clientWidth } = document.documentElement
    panel.current.style.top = `${anchor.bottom + 4}px`
    panel.current.style.right = `${Math.max(8, Math.min(clientWidth - anchor.right, clientWidth - panel.current.offsetWidth - 8))}px`
  }

  return (
    <div className={count === 0 ? 'hidden sm:block' : undefined}>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-label={count === 0 ? 'Jobs: none under way' : `Jobs: ${count} under way`}
        title={count === 0 ? 'Nothing is under way' : `${formatQuantity(count, 'job')} under way`}
        className={buttonClasses('quiet', count === 0 ? undefined : 'text-accent')}
      >
        <JobsGlyph />
        {count > 0 && <span className="tnum">{count}</span>}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label="Jobs"
        onToggle={(event) => event.newState === 'open' && place()}
        className="floating fixed inset-auto m-0 max-sm:right-2! w-[min(22rem,calc(100vw-16px))] p-3 text-text"
      >
        {count === 0 && <p className="text-table text-muted">Nothing is under way.</p>}
        <ul aria-label="Jobs under way" className={classes('flex flex-col gap-3', count === 0 && 'hidden')}>
          {jobs.map((job) => (
            <li key={job.id} className="flex flex-col gap-1">
              <div className="flex flex-wrap items-center justify-between gap-2">
                <span className="isolate-text min-w-0 flex-1 text-table font-medium">{job.title}</span>
                <CancelButton job={job} cancel={cancel} />
              </div>
              <JobProgressBar job={job} />
            </li>
          ))}
        </ul>
        <PageLink
          href="/jobs"
          onClick={() => panel.current?.hidePopover()}
          className="mt-2 inline-block text-table text-accent hover:underline"
        >
          All jobs
        </PageLink>
      </div>
    </div>
  )
}
