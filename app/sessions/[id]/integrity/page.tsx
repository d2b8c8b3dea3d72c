import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { undoWriteAction } from '@/app/audit/actions'
import { doctorSessionAction, repairSessionAction } from '@/app/sessions/[id]/integrity/actions'
import { FreshPage } from '@/components/live/fresh-page'
import { IntegrityScreen } from '@/components/repair/integrity-screen'
import { UncheckedPanel } from '@/components/repair/unchecked-panel'
import { Card } from '@/components/ui/card'
import { ErrorState } from '@/components/ui/error-state'
import { getRevision } from '@/lib/server/process/revision'
import { getIntegrity } from '@/lib/server/repair/session-integrity'

export const metadata: Metadata = { title: 'Integrity' }

export default async function IntegrityPage({ params }: PageProps<'/sessions/[id]/integrity'>) {
  const { id } = await params
  const asOf = await getRevision()
  const answer = await getIntegrity(id)
  if (answer === null) notFound()
  if (answer.kind === 'unchecked') return <UncheckedPanel {...answer} />
  if (answer.kind === 'unreadable')
    return (
      <Card>
        <ErrorState title="The transcript cannot be checked" detail={answer.problem} />
      </Card>
    )
  return (
    <>
      <FreshPage asOf={asOf} />
      <IntegrityScreen
        session={id}
        view={answer.view}
        actions={{ repair: repairSessionAction, doctor: doctorSessionAction, undo: undoWriteAction }}
      />
    </>
  )
}
