'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { HostileText } from '@/components/entry/hostile-text'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import type { UndoAnswer } from '@/lib/view/audit/audit-answers'
import type { AppliedItem } from '@/lib/view/findings/applied-remedies'
import { useFindingActions } from './finding-actions'
import { TakenBack } from './taken-back'

/** Says what taking a setting back does before it does it, and what came of it. */
export function TakeBackDialog({
  item: { receipt, change, file },
  onClose,
}: {
  item: AppliedItem
  onClose: () => void
}) {
  const client = useQueryClient()
  const actions = useFindingActions()
  const [answer, setAnswer] = useState<UndoAnswer | null>(null)
  const [busy, start] = useTransition()

  function takeBack() {
    start(async () => {
      setAnswer(await actions.undo(receipt))
      void client.invalidateQueries()
    })
  }

  return (
    <Dialog open onClose={onClose} title="Take this setting back?">
      <div className="flex flex-col gap-3">
        <p className="isolate-text max-w-[80ch] break-words">
          <HostileText text={change} />
        </p>
        <p className="isolate-text max-w-[80ch] text-table break-words text-muted">
          <HostileText
            text={`${file} will be, byte for byte, what it was before. It is refused, and nothing changes, if the file is another one by now.`}
          />
        </p>
        {answer !== null && <TakenBack answer={answer} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{answer === null ? 'Cancel' : 'Close'}</Button>
          {(answer === null || answer.kind === 'refused') && (
            <Button kind="primary" disabled={busy} onClick={takeBack}>
              {busy ? 'Taking it back …' : 'Take it back'}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  )
}
