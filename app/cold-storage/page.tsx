import type { Metadata } from 'next'
import { undoWriteAction } from '@/app/audit/actions'
import {
  downloadChunkAction,
  extendChunkAction,
  previewPurgeAction,
  purgeAction,
  recoverChunkAction,
} from '@/app/cold-storage/actions'
import { ColdScreen } from '@/components/cold/cold-screen'
import { ErrorState } from '@/components/ui/error-state'
import { getColdStorage } from '@/lib/server/cold/cold-storage'
import { attempt } from '@/lib/server/door/attempt'
import { getRevision } from '@/lib/server/process/revision'
import { parseColdParams } from '@/lib/view/cold/cold-storage'

export const metadata: Metadata = { title: 'Cold storage' }

const ACTIONS = {
  recover: recoverChunkAction,
  download: downloadChunkAction,
  extend: extendChunkAction,
  previewPurge: previewPurgeAction,
  purge: purgeAction,
  undo: undoWriteAction,
}

export default async function ColdStoragePage({ searchParams }: PageProps<'/cold-storage'>) {
  const search = await searchParams
  const params = parseColdParams((name) => [search[name]].flat()[0] ?? null)
  const asOf = await getRevision()
  const view = await attempt(() => getColdStorage(params))
  if (!view.ok) return <ErrorState title="Cold storage cannot be read" detail={view.problem} />
  return <ColdScreen initial={{ params, view: view.value }} asOf={asOf} actions={ACTIONS} />
}
