import { notFound } from 'next/navigation'
import { SessionFrame } from '@/components/session/session-frame'
import { FaultBanner } from '@/components/shell/fault-banner'
import { getRevision } from '@/lib/server/process/revision'
import { getSessionSummary } from '@/lib/server/session/session-page'
import { getSessionFaults } from '@/lib/server/stores/file-faults'

export default async function SessionLayout({ children, params }: LayoutProps<'/sessions/[id]'>) {
  const { id } = await params
  const asOf = await getRevision()
  const summary = await getSessionSummary(id)
  if (!summary) notFound()
  return (
    <>
      <FaultBanner faults={await getSessionFaults(id)} />
      <SessionFrame key={id} initial={summary} asOf={asOf}>
        {children}
      </SessionFrame>
    </>
  )
}
