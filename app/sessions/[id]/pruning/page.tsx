import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { PruneScreen } from '@/components/pruning/prune-screen'
import { Card } from '@/components/ui/card'
import { ErrorState } from '@/components/ui/error-state'
import { getRevision } from '@/lib/server/process/revision'
import { getPruneTab } from '@/lib/server/pruning/session-prune'
import { readPruneKnobs } from '@/lib/view/pruning/prune-knobs'

export const metadata: Metadata = { title: 'Pruning' }

export default async function PruningPage({ params, searchParams }: PageProps<'/sessions/[id]/pruning'>) {
  const { id } = await params
  const knobs = readPruneKnobs(await searchParams)
  const asOf = await getRevision()
  const tab = await getPruneTab(id, knobs)
  if (tab === null) notFound()
  if (tab.kind === 'unreadable')
    return (
      <Card>
        <ErrorState title="The transcript cannot be looked through" detail={tab.problem} />
      </Card>
    )
  return <PruneScreen key={id} id={id} initial={tab.view} policy={tab.policy} knobs={tab.knobs} asOf={asOf} />
}
