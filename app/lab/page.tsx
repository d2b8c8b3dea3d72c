import type { Metadata } from 'next'
import { FINDING_ACTIONS } from '@/app/findings/finding-actions'
import { cancelJobAction } from '@/app/jobs/actions'
import {
  beginExperimentAction,
  refuseNeedAction,
  removeExperimentAction,
  renameExperimentAction,
  runExperimentAction,
} from '@/app/lab/actions'
import type { LabActions } from '@/components/lab/lab-actions'
import { LabScreen } from '@/components/lab/lab-screen'
import { ErrorState } from '@/components/ui/error-state'
import { attempt } from '@/lib/server/door/attempt'
import { getLabPage } from '@/lib/server/lab/lab-page'
import { getRevision } from '@/lib/server/process/revision'
import { readLabPlace } from '@/lib/view/lab/lab-place'

const ACTIONS: LabActions = {
  begin: beginExperimentAction,
  runAgain: runExperimentAction,
  rename: renameExperimentAction,
  remove: removeExperimentAction,
  refuse: refuseNeedAction,
  cancel: cancelJobAction,
}

export const metadata: Metadata = { title: 'Lab' }

export default async function LabPage({ searchParams }: PageProps<'/lab'>) {
  const place = readLabPlace(await searchParams)
  const asOf = await getRevision()
  const view = await attempt(() => getLabPage(place))
  if (!view.ok) return <ErrorState title="The database cannot be read" detail={view.problem} />
  return (
    <LabScreen initial={view.value} place={place} asOf={asOf} actions={ACTIONS} findings={FINDING_ACTIONS} />
  )
}
