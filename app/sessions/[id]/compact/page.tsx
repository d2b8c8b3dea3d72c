import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { undoWriteAction } from '@/app/audit/actions'
import { cancelJobAction } from '@/app/jobs/actions'
import { startCompactionAction } from '@/app/sessions/[id]/compact/actions'
import { CompactScreen } from '@/components/compaction/compact-screen'
import { Card } from '@/components/ui/card'
import { ErrorState } from '@/components/ui/error-state'
import { getCompactTab } from '@/lib/server/compaction/compact-tab'
import { getRevision } from '@/lib/server/process/revision'
import { readPlanKnobs } from '@/lib/view/compaction/plan-knobs'

export const metadata: Metadata = { title: 'Compact' }

export default async function CompactPage({ params, searchParams }: PageProps<'/sessions/[id]/compact'>) {
  const { id } = await params
  const search = await searchParams
  const knobs = readPlanKnobs(search)
  const asOf = await getRevision()
  const tab = await getCompactTab(id, knobs)
  if (tab === null) notFound()
  if (tab.kind === 'unreadable')
    return (
      <Card>
        <ErrorState title="The transcript cannot be planned for" detail={tab.problem} />
      </Card>
    )
  return (
    <CompactScreen
      key={id}
      id={id}
      name={tab.name}
      initial={tab.plan}
      policy={tab.policy}
      status={tab.status}
      asks={tab.asks}
      pending={tab.pending}
      knobs={tab.knobs}
      job={typeof search.job === 'string' ? search.job : null}
      asOf={asOf}
      start={startCompactionAction}
      cancel={cancelJobAction}
      undo={undoWriteAction}
    />
  )
}
