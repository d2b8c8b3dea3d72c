import type { Metadata } from 'next'
import { undoWriteAction } from '@/app/audit/actions'
import { AuditScreen } from '@/components/audit/audit-screen'
import { ErrorState } from '@/components/ui/error-state'
import { getAudit } from '@/lib/server/audit/audit'
import { attempt } from '@/lib/server/door/attempt'
import { getRevision } from '@/lib/server/process/revision'
import { readAuditPage } from '@/lib/view/audit/audit'

export const metadata: Metadata = { title: 'Audit' }

export default async function AuditPage({ searchParams }: PageProps<'/audit'>) {
  const page = readAuditPage((await searchParams).page)
  const asOf = await getRevision()
  const audit = await attempt(() => getAudit(page))
  if (!audit.ok) return <ErrorState title="The database cannot be read" detail={audit.problem} />
  return <AuditScreen key={page} initial={audit.value} page={page} asOf={asOf} undo={undoWriteAction} />
}
