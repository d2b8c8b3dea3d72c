import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { undoWriteAction } from '@/app/audit/actions'
import { CompactionsScreen } from '@/components/compaction/compactions-screen'
import { Card } from '@/components/ui/card'
import { ErrorState } from '@/components/ui/error-state'
import { readCompactionsTab } from '@/lib/server/compaction/session-compactions'
import { getRevision } from '@/lib/server/process/revision'

export const metadata: Metadata = { title: 'Compactions' }

export default async function CompactionsPage({ params }: PageProps<'/sessions/[id]/compactions'>) {
  const { id } = await params
  const asOf = await getRevision()
  const tab = await readCompactionsTab(id)
  if (tab === null) notFound()
  if (tab.kind === 'unreadable')
    return (
      <Card>
        <ErrorState title="The transcript cannot be read" detail={tab.problem} />
      </Card>
    )
  return <CompactionsScreen key={id} id={id} initial={tab.view} asOf={asOf} undo={undoWriteAction} />
}
