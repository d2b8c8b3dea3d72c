import type { Metadata } from 'next'
import { createDemoStore, rescanStores } from '@/app/actions/stores'
import { NoStores } from '@/components/stores/no-stores'
import { StoresScreen } from '@/components/stores/stores-screen'
import { getStores } from '@/lib/server/stores'

export const metadata: Metadata = { title: 'Stores' }

export default async function StoresPage() {
  const stores = await getStores()
  if (stores.stores.length === 0) return <NoStores initial={stores} createDemo={createDemoStore} />
  return <StoresScreen initial={stores} rescan={rescanStores} createDemo={createDemoStore} />
}
