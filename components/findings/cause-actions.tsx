'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { Button } from '@/components/ui/button'
import { Moment } from '@/components/ui/time'
import type { CauseItem } from '@/lib/view/findings/cause-item'
import { useFindingActions } from './finding-actions'
import { MuteDialog } from './mute-dialog'
import { RemedyDialog } from './remedy-dialog'

/** What can be done with a cause here: change the setting behind it, pin a rule, mute it, show it again. */
export function CauseActions({ item }: { item: CauseItem }) {
  const client = useQueryClient()
  const actions = useFindingActions()
  const [open, setOpen] = useState<'remedy' | 'mute' | null>(null)
  const [busy, start] = useTransition()
  const close = () => setOpen(null)

  function unmute() {
    start(async () => {
      await actions.unmute(item.subjectId, item.finding)
      void client.invalidateQueries()
    })
  }

  if (item.goneAt !== null)
    return (
      <p className="text-table text-muted">
        Not found any more since <Moment at={item.goneAt} />
      </p>
    )
  return (
    <div className="flex flex-wrap items-center gap-2">
      {item.applies !== null && (
        <Button onClick={() => setOpen('remedy')}>
          {item.applies === 'setting' ? 'Preview the setting …' : 'Pin a rule …'}
        </Button>
      )}
      {item.mute === null ? (
        <Button
          kind="quiet"
          onClick={() => setOpen('mute')}
          // Alone, its words are where the others begin.
          className={item.applies === null ? '-ml-2.5' : undefined}
        >
          Mute …
        </Button>
      ) : (
        <>
          <Button disabled={busy} onClick={unmute}>
            {busy ? 'Showing it again …' : 'Show it again'}
          </Button>
          <span className="isolate-text text-table break-words text-muted">
            {`Muted: ${item.mute.reason}`}
            {item.mute.until !== null && (
              <>
                {' until '}
                <Moment at={item.mute.until} />
              </>
            )}
          </span>
        </>
      )}
      {open === 'remedy' && <RemedyDialog item={item} onClose={close} />}
      {open === 'mute' && <MuteDialog item={item} onClose={close} />}
    </div>
  )
}
