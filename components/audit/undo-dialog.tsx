'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { ErrorState } from '@/components/ui/error-state'
import { Moment } from '@/components/ui/time'
import type { AuditEntryView } from '@/lib/view/audit/audit'
import type { UndoAnswer } from '@/lib/view/audit/audit-answers'
import { formatQuantity } from '@/lib/view/text/format'
import { AuditFile } from './audit-file'

/** A server action that takes a write back. */
export type UndoAction = (receipt: string) => Promise<UndoAnswer>

/** Says what taking a write back will do before it does it, and what came of it. */
export function UndoDialog({
  entry,
  undo,
  onClose,
}: {
  entry: AuditEntryView
  undo: UndoAction
  onClose: () => void
}) {
  const client = useQueryClient()
  const [busy, start] = useTransition()
  const [answer, setAnswer] = useState<UndoAnswer | null>(null)

  function confirm() {
    start(async () => {
      setAnswer(await undo(entry.id))
      await client.invalidateQueries()
    })
  }

  const back = entry.files.map((file) => ({
    ...file,
    before: file.after,
    after: file.before,
    change: inverse(file),
  }))
  return (
    <Dialog open onClose={onClose} title="Take this write back?">
      <div className="flex flex-col gap-3">
        <p className="max-w-[80ch]">
          <span className="isolate-text">{entry.reason}</span>{' '}
          <span className="text-muted">
            <Moment at={entry.at} />
          </span>
        </p>
        <p className="max-w-[80ch] text-table text-muted">
          {`${formatQuantity(entry.files.length, 'file')} will hold again, byte for byte, what was there before. It is refused, and nothing changes, if a file has moved on since or somebody works with the session. The undo gets its own receipt.`}
        </p>
        <ul className="flex flex-col gap-2">
          {back.map((file) => (
            <AuditFile key={file.path} file={file} failed={false} />
          ))}
        </ul>
        {answer !== null && <Answer answer={answer} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{answer === null ? 'Cancel' : 'Close'}</Button>
          {answer?.kind !== 'undone' && (
            <Button kind="primary" disabled={busy} onClick={confirm}>
              {busy ? 'Taking it back …' : answer === null ? 'Take it back' : 'Try again'}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  )
}

function inverse({ change }: AuditEntryView['files'][number]): AuditEntryView['files'][number]['change'] {
  if (change === 'changed') return change
  return change === 'made' ? 'removed' : 'made'
}

function Answer({ answer }: { answer: UndoAnswer }) {
  switch (answer.kind) {
    case 'undone':
      return (
        <p role="status" className="text-table text-ok">
          {['Taken back; the files were read again and hold what they held before.', ...answer.notes].join(
            ' ',
          )}
        </p>
      )
    case 'unchanged':
      return (
        <p role="status" className="text-table text-muted">
          Nothing changed: the files hold already what they held before.
        </p>
      )
    case 'refused':
      return <ErrorState title="It was not taken back; nothing was changed" detail={answer.problem} />
  }
}
