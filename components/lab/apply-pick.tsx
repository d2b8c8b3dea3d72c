'use client'

import { useState } from 'react'
import { RemedyDialog } from '@/components/findings/remedy-dialog'
import { Button } from '@/components/ui/button'
import type { TuneView } from '@/lib/view/lab/tune-view'

/** Applies a pick as a remedy: the change of the settings of a store, shown first, then written, watched and undone. */
export function ApplyPick({
  remedy,
  label,
  stores,
}: {
  remedy: string
  label: string
  stores: TuneView['stores']
}) {
  const [session, setSession] = useState<string | null>(null)
  return (
    <>
      {stores.map((store) => (
        <Button key={store.session} className="min-h-fit py-1" onClick={() => setSession(store.session)}>
          <span className="isolate-text min-w-0 break-words whitespace-normal">
            {stores.length === 1 ? 'Apply as a remedy …' : `Apply as a remedy: ${store.label} …`}
          </span>
        </Button>
      ))}
      {session !== null && (
        <RemedyDialog
          item={{ finding: remedy, subjectId: session, title: `${label} pick`, applies: 'setting' }}
          onClose={() => setSession(null)}
        />
      )}
    </>
  )
}
