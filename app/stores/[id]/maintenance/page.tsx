import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { undoWriteAction } from '@/app/audit/actions'
import {
  cancelJobAction,
  previewCleanupAction,
  startCleanupAction,
  startMaintenanceAction,
} from '@/app/jobs/actions'
import { MaintenanceScreen } from '@/components/maintenance/maintenance-screen'
import { ErrorState } from '@/components/ui/error-state'
import { attempt } from '@/lib/server/door/attempt'
import { getMaintenance } from '@/lib/server/maintenance/maintenance'
import { getRevision } from '@/lib/server/process/revision'
import { readTrial } from '@/lib/view/maintenance/maintenance-trial'

export const metadata: Metadata = { title: 'Maintenance' }

export default async function MaintenancePage({
  params,
  searchParams,
}: PageProps<'/stores/[id]/maintenance'>) {
  const { id } = await params
  const search = await searchParams
  const one = (name: string) => {
    const value = search[name]
    return typeof value === 'string' ? value : null
  }
  const trial = readTrial({ get: one })
  const asOf = await getRevision()
  const view = await attempt(() => getMaintenance(id, trial))
  if (!view.ok) return <ErrorState title="The database cannot be read" detail={view.problem} />
  if (view.value === null) notFound()
  return (
    <MaintenanceScreen
      key={id}
      initial={view.value}
      trial={trial}
      job={one('job')}
      asOf={asOf}
      start={startMaintenanceAction}
      databases={{ preview: previewCleanupAction, start: startCleanupAction }}
      cancel={cancelJobAction}
      undo={undoWriteAction}
    />
  )
}
