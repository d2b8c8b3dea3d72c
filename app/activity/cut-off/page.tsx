import type { Metadata } from 'next'
import { CutoffScreen } from '@/components/activity/cutoff-screen'
import { ErrorState } from '@/components/ui/error-state'
import { getCutoff } from '@/lib/server/activity/cutoff'
import { attempt } from '@/lib/server/door/attempt'
import { getRevision } from '@/lib/server/process/revision'
import { parseCutoffParams } from '@/lib/view/activity/cutoff'

export const metadata: Metadata = { title: 'Cut-off explorer' }

export default async function CutoffPage({ searchParams }: PageProps<'/activity/cut-off'>) {
  const search = await searchParams
  const params = parseCutoffParams((name) => [search[name]].flat()[0] ?? null)
  const asOf = await getRevision()
  const view = await attempt(() => getCutoff(params))
  if (!view.ok) return <ErrorState title="The database cannot be read" detail={view.problem} />
  return <CutoffScreen initial={{ params, view: view.value }} asOf={asOf} />
}
