import type { Metadata } from 'next'
import { FINDING_ACTIONS } from '@/app/findings/finding-actions'
import { SessionFindingsScreen } from '@/components/findings/session-findings-screen'
import { ErrorState } from '@/components/ui/error-state'
import { attempt } from '@/lib/server/door/attempt'
import { getSessionFindingsView } from '@/lib/server/findings/session-findings'
import { getRevision } from '@/lib/server/process/revision'

export const metadata: Metadata = { title: 'Findings' }

export default async function SessionFindingsPage({ params }: PageProps<'/sessions/[id]/findings'>) {
  const { id } = await params
  const asOf = await getRevision()
  const view = await attempt(() => getSessionFindingsView(id))
  if (!view.ok) return <ErrorState title="The findings cannot be read" detail={view.problem} />
  return <SessionFindingsScreen key={id} id={id} initial={view.value} asOf={asOf} actions={FINDING_ACTIONS} />
}
