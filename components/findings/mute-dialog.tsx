'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { ErrorState } from '@/components/ui/error-state'
import { MOST_REASON } from '@/lib/core/findings/mutes'
import type { CauseItem } from '@/lib/view/findings/cause-item'
import { useFindingActions } from './finding-actions'

const FIELD = 'h-8 w-full rounded-md border border-line-strong bg-surface px-2.5 text-table'

/** Asks why a cause need not be looked at, and until when. */
export function MuteDialog({
  item: { subjectId, finding, title },
  onClose,
}: {
  item: Pick<CauseItem, 'subjectId' | 'finding' | 'title'>
  onClose: () => void
}) {
  const client = useQueryClient()
  const actions = useFindingActions()
  const [reason, setReason] = useState('')
  const [until, setUntil] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, start] = useTransition()

  function mute() {
    start(async () => {
      const answer = await actions.mute(subjectId, finding, reason, until)
      void client.invalidateQueries()
      if (answer.kind === 'done') onClose()
      else setProblem(answer.problem)
    })
  }

  return (
    <Dialog open onClose={onClose} title={`Mute: ${title}`}>
      <form action={mute} className="flex flex-col gap-3">
        <p className="max-w-[70ch] text-table text-muted">
          All findings of this cause are left out of lists, here and on the command line. They are still
          looked for.
        </p>
        <label className="flex flex-col gap-1 text-table">
          Why
          <input
            required
            maxLength={MOST_REASON}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            className={FIELD}
          />
        </label>
        <label className="flex flex-col gap-1 text-table">
          Until (empty: for good)
          <input
            type="date"
            value={until}
            onChange={(event) => setUntil(event.target.value)}
            className={FIELD}
          />
        </label>
        {problem !== null && <ErrorState title="It was not muted" detail={problem} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={busy || reason.trim() === ''}>
            {busy ? 'Muting …' : 'Mute'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
