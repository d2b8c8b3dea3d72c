import type { Metadata } from 'next'
import { createDemoStore } from '@/app/stores/actions'
import { SessionsScreen } from '@/components/session-list/sessions-screen'
import { NoStores } from '@/components/stores/no-stores'
import { ErrorState } from '@/components/ui/error-state'
import { attempt } from '@/lib/server/door/attempt'
import { getRevision } from '@/lib/server/process/revision'
import { getSessionFacets, getSessionList } from '@/lib/server/session-list/session-list'
import { getStores } from '@/lib/server/stores/stores'
import { parseListParams } from '@/lib/view/session-list/session-list'

export const metadata: Metadata = { title: 'Sessions' }

export default async function SessionsPage({ searchParams }: PageProps<'/sessions'>) {
  const search = await searchParams
  const params = parseListParams((name) => [search[name]].flat()[0] ?? null)
  const asOf = await getRevision()
  const list = await attempt(() => Promise.all([getSessionList(params, 0), getSessionFacets()]))
  if (!list.ok) return <ErrorState title="The database cannot be read" detail={list.problem} />
  const [page, facets] = list.value
  if (facets.stores.length === 0) return <NoStores initial={await getStores()} createDemo={createDemoStore} />
  return <SessionsScreen initial={{ params, page, facets }} asOf={asOf} />
}
