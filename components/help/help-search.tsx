'use client'

import { useState } from 'react'
import { SearchField } from '@/components/ui/search-field'
import { findHelp, type HelpEntry } from '@/lib/view/help/find-help'

const MOST = 8

/** A field that finds words and parts of the help. */
export function HelpSearch({ entries }: { entries: readonly HelpEntry[] }) {
  const [typed, setTyped] = useState('')
  const found = findHelp(entries, typed, MOST)
  return (
    <search className="flex flex-col gap-2">
      <SearchField
        value={typed}
        label="Search the help"
        placeholder="Find a word, a part …"
        onSearch={setTyped}
      />
      {typed.trim() !== '' && (
        <ul aria-label="Found in the help" className="flex max-w-[80ch] flex-col gap-1 text-table">
          {found.map(({ id, label, about }) => (
            <li key={`${label} ${id}`} className="truncate">
              <a href={`#${id}`} className="font-medium text-accent hover:underline">
                {label}
              </a>
              {about !== '' && <span className="text-muted">{` · ${about}`}</span>}
            </li>
          ))}
          {found.length === 0 && <li className="text-muted">Nothing found.</li>}
        </ul>
      )}
    </search>
  )
}
