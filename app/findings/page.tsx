import type { Metadata } from 'next'
import { FINDING_ACTIONS } from '@/app/findings/finding-actions'
import { FindingsScreen } from '@/components/findings/findings-screen'
import { ErrorState } from '@/components/ui/error-state'
import { attempt } from '@/lib/server/door/attempt'
import { getFindingsPage } from '@/lib/server/findings/findings-page'
import { getRevision } from '@/lib/server/process/revision'
import { readFindingsPlace } from '@/lib/view/findings/findings-page'

export const metadata: Metadata = { title: 'Findings' }

export default async function FindingsPage({ searchParams }: PageProps<'/findings'>) {
  const place = readFindingsPlace(await searchParams)
  const asOf = await getRevision()
  const view = await attempt(() => getFindingsPage(place))
  if (!view.ok) return <ErrorState title="The findings cannot be read" detail={view.problem} />
  return <FindingsScreen initial={view.value} asOf={asOf} actions={FINDING_ACTIONS} />
}
