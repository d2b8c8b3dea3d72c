'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RemedyDialog } from '@/components/findings/remedy-dialog'
import { Button } from '@/components/ui/button'
import type { TuneView } from '@/lib/view/lab/tune-view'
import { pickOffersQuery } from './lab-queries'

/**
 * Applies a pick as a remedy: the change of the settings of a store, shown first, then written, watched and undone.
 * Stores for which it cannot be set say why.
 */
export function ApplyPick({ remedy, label, tune }: { remedy: string; label: string; tune: TuneView }) {
  const [session, setSession] = useState<string | null>(null)
  const offers = useQuery(pickOffersQuery(tune))
  const { stores } = tune
  if (offers.isPending)
    return (
      <p role="status" className="text-muted">
        Looking where it can be set …
      </p>
    )
  // Without an answer the dialog itself says what can be set.
  const whyNot = (of: string) =>
    offers.data?.find((one) => one.remedy === remedy && one.session === of)?.why ?? null
  return (
    <>
      {stores.map((store) => {
        const why = whyNot(store.session)
        return why === null ? (
          <Button key={store.session} className="min-h-fit py-1" onClick={() => setSession(store.session)}>
            <span className="isolate-text min-w-0 break-words whitespace-normal">
              {stores.length === 1 ? 'Apply as a remedy …' : `Apply as a remedy: ${store.label} …`}
            </span>
          </Button>
        ) : (
          <p key={store.session} className="isolate-text break-words text-muted">
            {stores.length === 1 ? `Not offered as a remedy: ${why}` : `Not for ${store.label}: ${why}`}
          </p>
        )
      })}
      {session !== null && (
        <RemedyDialog
          item={{ finding: remedy, subjectId: session, title: `${label} pick`, applies: 'setting' }}
          onClose={() => setSession(null)}
        />
      )}
    </>
  )
}
