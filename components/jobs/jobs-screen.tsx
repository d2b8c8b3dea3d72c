'use client'

import { useQuery } from '@tanstack/react-query'
import type { UndoAction } from '@/components/audit/undo-dialog'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { PageLink } from '@/components/ui/page-link'
import { PageLinks } from '@/components/ui/page-links'
import type { CancelAction } from '@/lib/view/jobs/job-answers'
import type { JobsView, JobView } from '@/lib/view/jobs/jobs'
import { formatQuantity } from '@/lib/view/text/format'
import { JobItem } from './job-item'
import { jobsQuery } from './jobs-query'

/** Long work of the dashboard: what is under way, and what came of what was. */
export function JobsScreen({
  initial,
  page,
  cancel,
  undo,
}: {
  initial: JobsView
  page: number
  cancel: CancelAction
  undo: UndoAction
}) {
  const query = useQuery({ ...jobsQuery(page), initialData: initial })
  const view = query.data
  const list = (name: string, jobs: readonly JobView[]) => (
    <ul aria-label={name}>
      {jobs.map((job) => (
        <li key={job.id} className="border-b border-line last:border-0">
          <JobItem job={job} cancel={cancel} undo={undo} />
        </li>
      ))}
    </ul>
  )
  return (
    <>
      {query.isError && <ErrorState title="The jobs could not be read again" detail={query.error.message} />}
      {view.open.length === 0 && view.total === 0 && <NoJobs />}
      {view.open.length > 0 && (
        <Card title="Under way" note="Goes on when this page is closed" flush>
          {list('Under way', view.open)}
        </Card>
      )}
      {view.total > 0 && (
        <Card title="Ended" note={`${formatQuantity(view.total, 'job')}, newest first`} flush>
          {list('Ended', view.ended)}
        </Card>
      )}
      <PageLinks path="/jobs" page={view.page} pages={view.pages} />
    </>
  )
}

function NoJobs() {
  return (
    <Card>
      <EmptyState title="Nothing is under way, and nothing was">
        <p>
          Work that takes a while runs here: repairs, maintenance of a store, reading stores again. It goes on
          when you leave the page, can be cancelled, and says what came of it.{' '}
          <PageLink href="/stores" className="text-accent underline">
            Stores
          </PageLink>
        </p>
      </EmptyState>
    </Card>
  )
}
