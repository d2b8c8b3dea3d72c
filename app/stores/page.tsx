import type { Metadata } from 'next'
import { createDemoStore, rescanStores } from '@/app/stores/actions'
import { NoStores } from '@/components/stores/no-stores'
import { StoresScreen } from '@/components/stores/stores-screen'
import { ErrorState } from '@/components/ui/error-state'
import { attempt } from '@/lib/server/door/attempt'
import { getRevision } from '@/lib/server/process/revision'
import { getStores } from '@/lib/server/stores/stores'

export const metadata: Metadata = { title: 'Stores' }

export default async function StoresPage() {
  const asOf = await getRevision()
  const stores = await attempt(getStores)
  if (!stores.ok) return <ErrorState title="The database cannot be read" detail={stores.problem} />
  if (stores.value.stores.length === 0)
    return <NoStores initial={stores.value} createDemo={createDemoStore} />
  return (
    <StoresScreen initial={stores.value} asOf={asOf} rescan={rescanStores} createDemo={createDemoStore} />
  )
}
