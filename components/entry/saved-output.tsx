'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { formatCount } from '@/lib/view/text/format'
import { visibleLine } from '@/lib/view/text/visible-text'
import { savedOutputQuery } from '../session/session-queries'
import { LongText } from './long-text'
import { useRevealed } from './reveal'

/** The whole of an output that was too long to send: the runtime saved it beside the transcript. Read when it is opened. */
export function SavedOutput({
  id,
  seq,
  block,
  name,
}: {
  id: string
  seq: number
  block: number
  name: string
}) {
  const reveal = useRevealed()
  const [open, setOpen] = useState(false)
  const { data, isFetching, error } = useQuery({
    ...savedOutputQuery(id, seq, block, reveal),
    enabled: open,
  })
  return (
    <div className="rounded-md border border-dashed border-line-strong p-2" data-block="saved-output">
      <p className="flex flex-wrap items-center gap-2 text-label text-muted">
        <span>
          The model got this beginning. The whole output is in{' '}
          <code className="isolate-text">{visibleLine(name)}</code>
          {data !== undefined && `, ${formatCount(data.chars)} characters`}
        </span>
        <Button
          kind="quiet"
          className="h-6 px-2 text-label"
          aria-expanded={open}
          disabled={open && isFetching}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Hide' : 'Open'}
        </Button>
      </p>
      {open && error !== null && <p className="mt-1 text-attention">{visibleLine(error.message)}</p>}
      {open && data !== undefined && (
        <div className="mt-2">
          <LongText id={id} seq={seq} block={block} text={data.text} chars={data.chars} mono saved />
        </div>
      )}
    </div>
  )
}
