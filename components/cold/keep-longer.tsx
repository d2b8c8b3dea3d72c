'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { Button } from '@/components/ui/button'
import { FilterInput } from '@/components/ui/filter-inputs'
import type { ColdAnswer, ColdName } from '@/lib/view/cold/cold-storage'
import type { ColdActions } from './cold-actions'

/** Moves the day on which a chunk is no longer offered. */
export function KeepLonger({ name, actions }: { name: ColdName; actions: ColdActions }) {
  const client = useQueryClient()
  const [days, setDays] = useState('30')
  const [busy, start] = useTransition()
  const [answer, setAnswer] = useState<ColdAnswer | null>(null)

  function extend() {
    start(async () => {
      setAnswer(await actions.extend(name, Number(days)))
      await client.invalidateQueries({ queryKey: ['cold'] })
    })
  }

  return (
    <div className="flex flex-wrap items-center gap-2">
      <FilterInput label="Keep for days from now" type="number" step={1} value={days} onChange={setDays} />
      <Button disabled={busy || !/^[1-9]\d{0,3}$/.test(days)} onClick={extend}>
        Keep longer
      </Button>
      {answer !== null && (
        <p
          role="status"
          className={answer.kind === 'refused' ? 'text-label text-danger' : 'text-label text-ok'}
        >
          {answer.kind === 'refused' ? answer.problem : answer.message}
        </p>
      )}
    </div>
  )
}
