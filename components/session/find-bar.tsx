'use client'

import { useQuery } from '@tanstack/react-query'
import type { KeyboardEvent } from 'react'
import { Snippet } from '@/components/session-list/snippet'
import { Button } from '@/components/ui/button'
import { SearchGlyph } from '@/components/ui/glyphs'
import { useSettled } from '@/components/ui/use-settled'
import type { FindResult } from '@/lib/view/session/find-result'
import { formatCount, formatQuantity } from '@/lib/view/text/format'
import { findQuery } from './session-queries'

const TYPING_MS = 200

/** Finds words in the session: how often, and from one to the next. */
export function FindBar({
  id,
  find,
  active,
  onFind,
  onGo,
}: {
  id: string
  find: string
  /** The entry that the reader is at. */
  active: number | null
  onFind: (find: string) => void
  onGo: (seq: number) => void
}) {
  const settled = useSettled(find, TYPING_MS)
  const query = useQuery({ ...findQuery(id, settled), enabled: settled.trim() !== '' })
  const found = settled.trim() === '' ? undefined : query.data
  const hits = found?.hits ?? []
  const at = hits.findIndex((hit) => hit.seq === active)

  function step(by: 1 | -1) {
    if (hits.length === 0) return
    const from = active ?? -1
    const next =
      by === 1
        ? (hits.find((hit) => hit.seq > from) ?? hits[0])
        : (hits.findLast((hit) => hit.seq < from) ?? hits.at(-1))
    if (next) onGo(next.seq)
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Enter') {
      event.preventDefault()
      step(event.shiftKey ? -1 : 1)
    }
    if (event.key === 'Escape') {
      onFind('')
      event.currentTarget.blur()
    }
  }

  return (
    <search className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <label className="flex h-8 min-w-0 flex-1 items-center gap-2 rounded-md border border-line-strong bg-surface px-2.5 text-muted sm:max-w-80">
        <SearchGlyph />
        <span className="sr-only">Find in this session</span>
        <input
          data-find
          type="search"
          value={find}
          onChange={(event) => onFind(event.target.value)}
          onKeyDown={onKeyDown}
          placeholder="Find in this session"
          className="min-w-0 flex-1 bg-transparent text-table text-text outline-none placeholder:text-muted"
        />
        <kbd className="text-label">/</kbd>
      </label>
      <span role="status" className="tnum min-w-20 text-label text-muted">
        {settled.trim() === ''
          ? ''
          : query.isError
            ? query.error.message
            : found
              ? countText(found, at)
              : 'Searching…'}
      </span>
      {hits.length > 0 && (
        <>
          <Button kind="quiet" aria-label="Previous hit" onClick={() => step(-1)} className="px-2">
            ‹
          </Button>
          <Button kind="quiet" aria-label="Next hit" onClick={() => step(1)} className="px-2">
            ›
          </Button>
          <p className="isolate-text hidden min-w-0 flex-1 truncate text-label text-muted md:block">
            {at >= 0 && <Snippet parts={hits[at]?.parts ?? []} />}
          </p>
        </>
      )}
    </search>
  )
}

function countText(found: FindResult, at: number): string {
  if (found.total === 0) return 'Nothing found'
  const total = `${formatQuantity(found.total, 'entry', 'entries')}${found.cut ? ' or more' : ''}`
  return at < 0 ? total : `${formatCount(at + 1)} of ${total}`
}
