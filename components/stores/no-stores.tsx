'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import type { StoresView } from '@/lib/view/stores/stores'
import { ActionButton } from './action-button'
import type { ReadAction } from './read-action'
import { storesQuery } from './stores-query'

/** What every screen shows while there is no store: the paths that were probed, and the offer of a demo. */
export function NoStores({ initial, createDemo }: { initial: StoresView; createDemo: ReadAction }) {
  const router = useRouter()
  const { data } = useQuery({ ...storesQuery(), initialData: initial })
  const found = data.stores.length > 0
  // The outside system is the server: the page it rendered has been overtaken by a store that appeared.
  useEffect(() => {
    if (found) router.refresh()
  }, [found, router])
  return (
    <Card>
      <EmptyState
        title="No agent store was found"
        probes={data.probes}
        action={
          <ActionButton
            kind="primary"
            label="Show me a demo store"
            busyLabel="Making the demo …"
            action={createDemo}
          />
        }
      >
        <p>
          Plimsoll reads the sessions of OpenClaw, pi, Claude Code and Codex from the places below, and
          changes nothing there. If yours lie elsewhere, name them under <code>stores:</code> in{' '}
          <code>~/.config/plimsoll/plimsoll.yaml</code>, or in <code>PLIMSOLL_STORES</code>. Until then, a
          made-up store shows what you would see; it is labelled as a demo everywhere and lies in
          Plimsoll&apos;s own state folder.
        </p>
      </EmptyState>
    </Card>
  )
}
