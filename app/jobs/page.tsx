import type { Metadata } from 'next'
import { undoWriteAction } from '@/app/actions/audit'
import { cancelJobAction } from '@/app/actions/jobs'
import { JobsScreen } from '@/components/jobs/jobs-screen'
import { ErrorState } from '@/components/ui/error-state'
import { attempt } from '@/lib/server/attempt'
import { getJobs } from '@/lib/server/jobs'
import { readAuditPage } from '@/lib/view/audit'

export const metadata: Metadata = { title: 'Jobs' }

export default async function JobsPage({ searchParams }: PageProps<'/jobs'>) {
  const page = readAuditPage((await searchParams).page)
  const jobs = await attempt(() => getJobs(page))
  if (!jobs.ok) return <ErrorState title="The database cannot be read" detail={jobs.problem} />
  return (
    <JobsScreen key={page} initial={jobs.value} page={page} cancel={cancelJobAction} undo={undoWriteAction} />
  )
}
