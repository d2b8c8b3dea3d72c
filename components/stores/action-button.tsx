'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { Button, type ButtonKind } from '@/components/ui/button'
import { answerWords, type DoneAnswer } from '@/lib/view/actions/action-answer'
import type { ReadAction } from './read-action'

/** A button that asks the server to read, and says what came of it. */
export function ActionButton({
  label,
  busyLabel,
  action,
  kind = 'plain',
}: {
  label: string
  busyLabel: string
  action: ReadAction
  kind?: ButtonKind
}) {
  const client = useQueryClient()
  const [busy, start] = useTransition()
  const [result, setResult] = useState<DoneAnswer | null>(null)

  function press() {
    start(async () => {
      setResult(await action())
      await client.invalidateQueries()
    })
  }

  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button kind={kind} onClick={press} disabled={busy}>
        {busy ? busyLabel : label}
      </Button>
      <p
        role="status"
        className={result?.kind === 'refused' ? 'text-table text-danger' : 'text-table text-muted'}
      >
        {busy || result === null ? '' : answerWords(result)}
      </p>
    </div>
  )
}
