'use client'

import { useQuery } from '@tanstack/react-query'
import { useAsOf } from '@/components/live/use-as-of'
import { Card } from '@/components/ui/card'
import { ErrorState } from '@/components/ui/error-state'
import { ProbeList } from '@/components/ui/probe-list'
import { storeTitles } from '@/lib/view/stores/store-title'
import type { StoresView } from '@/lib/view/stores/stores'
import { ActionButton } from './action-button'
import { KeptCard } from './kept-card'
import { MigrationCard } from './migration-card'
import type { ReadAction } from './read-action'
import { StoreCard } from './store-card'
import { storesQuery } from './stores-query'
import { UnreadableCard } from './unreadable-card'

/** Every store with its state, and everything in it that could not be read. */
export function StoresScreen({
  initial,
  asOf,
  rescan,
  createDemo,
}: {
  initial: StoresView
  /** Revision of the database before `initial` was read. */
  asOf: number | null
  rescan: ReadAction
  createDemo: ReadAction
}) {
  const query = useQuery({ ...storesQuery(), initialData: initial })
  useAsOf(storesQuery().queryKey, asOf)
  const view = query.data
  const titles = storeTitles(view.stores)
  return (
    <>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <ActionButton label="Read again now" busyLabel="Reading …" action={rescan} />
        {!view.hasDemo && (
          <ActionButton
            kind="quiet"
            label="Add the demo store"
            busyLabel="Making the demo …"
            action={createDemo}
          />
        )}
      </div>
      {query.isError && (
        <ErrorState title="The stores could not be read again" detail={query.error.message} />
      )}
      {view.stores.map((store) => (
        <StoreCard
          key={store.id}
          store={store}
          title={titles.get(store.id) ?? store.root}
          unknownTypes={view.unknownTypes.filter((type) => type.storeId === store.id)}
          broken={view.broken.filter((session) => session.storeId === store.id)}
        />
      ))}
      <KeptCard archive={view.archive} />
      <MigrationCard losses={view.losses} />
      <UnreadableCard entries={view.unreadable} total={view.unreadableTotal} />
      <Card title="Probed paths" note="Where stores were looked for, just now">
        <ProbeList probes={view.probes} />
      </Card>
    </>
  )
}
