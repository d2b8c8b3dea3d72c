'use client'

import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { fetchJson } from '@/components/live/read-json'
import type { SessionListPage } from '@/lib/view/session-list/session-list'

const SHOWN = 12

function sessionsQuery(words: string) {
  const search = words === '' ? '' : `?q=${encodeURIComponent(words)}`
  return queryOptions({
    queryKey: ['policy-sessions', words] as const,
    queryFn: ({ signal }) => fetchJson<SessionListPage>(`/api/sessions${search}`, signal),
    placeholderData: keepPreviousData,
  })
}

/** Finds a session by its name: newest first, until something is typed. */
export function SessionPicker({
  chosen,
  onChoose,
}: {
  chosen: string | null
  onChoose: (id: string) => void
}) {
  const id = useId()
  const [words, setWords] = useState('')
  const list = useQuery(sessionsQuery(words.trim()))
  const rows = list.data?.rows.slice(0, SHOWN) ?? []
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <label htmlFor={id} className="text-label text-muted">
        Session
      </label>
      <input
        id={id}
        type="search"
        value={words}
        maxLength={200}
        placeholder="Search names and content"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setWords(event.target.value)}
        className="h-8 w-full min-w-0 rounded-md border border-line-strong bg-surface px-2 text-table placeholder:text-muted"
      />
      <ul
        aria-label="Sessions"
        className="flex max-h-80 flex-col overflow-y-auto rounded-md border border-line"
      >
        {rows.map((row) => (
          <li key={row.id}>
            <button
              type="button"
              aria-pressed={row.id === chosen}
              onClick={() => onChoose(row.id)}
              className="flex w-full min-w-0 flex-col px-3 py-1.5 text-left text-table hover:bg-inset aria-pressed:bg-accent-soft"
            >
              <span className="isolate-text w-full truncate">{row.title}</span>
              <span className="w-full truncate text-label text-muted">
                {[row.agent, row.channel, row.model].filter(Boolean).join(' · ') || row.store}
              </span>
            </button>
          </li>
        ))}
        {list.data && rows.length === 0 && (
          <li className="px-3 py-2 text-table text-muted">No session fits.</li>
        )}
      </ul>
      {list.data && list.data.total > SHOWN && (
        <p className="tnum text-label text-muted">{`${SHOWN} of ${list.data.total} shown`}</p>
      )}
    </div>
  )
}
