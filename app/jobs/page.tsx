import type { Metadata } from 'next'
import { undoWriteAction } from '@/app/audit/actions'
import { cancelJobAction } from '@/app/jobs/actions'
import { JobsScreen } from '@/components/jobs/jobs-screen'
import { ErrorState } from '@/components/ui/error-state'
import { attempt } from '@/lib/server/door/attempt'
import { getJobs } from '@/lib/server/jobs/jobs'
import { readAuditPage } from '@/lib/view/audit/audit'

export const metadata: Metadata = { title: 'Jobs' }

export default async function JobsPage({ searchParams }: PageProps<'/jobs'>) {
  const page = readAuditPage((await searchParams).page)
  const jobs = await attempt(() => getJobs(page))
  if (!jobs.ok) return <ErrorState title="The database cannot be read" detail={jobs.problem} />
  return (
    <JobsScreen key={page} initial={jobs.value} page={page} cancel={cancelJobAction} undo={undoWriteAction} />
  )
}
