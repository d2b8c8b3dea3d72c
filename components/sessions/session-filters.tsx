'use client'

import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { SearchGlyph } from '@/components/ui/glyphs'
import { formatQuantity } from '@/lib/view/format'
import {
  DEFAULT_LIST_PARAMS,
  type Facet,
  isFiltered,
  type SessionListFacets,
  type SessionListPage,
  type SessionListParams,
  searchFor,
} from '@/lib/view/session-list'
import type { ChooseSessions } from './choose-sessions'

/** Typing pauses this long before the list follows. */
const PAUSE_MS = 200

/** Search and filters above the list. */
export function SessionFilters({
  params,
  facets,
  summary,
  loading,
  onChoose,
}: {
  params: SessionListParams
  facets: SessionListFacets
  summary: SessionListPage | undefined
  loading: boolean
  onChoose: ChooseSessions
}) {
  return (
    <search className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
      <SearchField params={params} onChoose={onChoose} />
      <Choice
        label="Store"
        value={params.store}
        options={facets.stores}
        onChange={(store) => onChoose((now) => ({ ...now, store }))}
      />
      <Choice
        label="Agent"
        value={params.agent}
        options={facets.agents}
        onChange={(agent) => onChoose((now) => ({ ...now, agent }))}
      />
      <Choice
        label="Model"
        value={params.model}
        options={facets.models}
        onChange={(model) => onChoose((now) => ({ ...now, model }))}
      />
      <Choice
        label="State"
        value={params.state}
        options={facets.states}
        onChange={(state) => onChoose((now) => ({ ...now, state }))}
      />
      {isFiltered(params) && (
        <Button
          kind="quiet"
          onClick={() =>
            onChoose(({ sort, direction }) => ({
              ...DEFAULT_LIST_PARAMS,
              ...(sort === 'relevance' ? {} : { sort, direction }),
            }))
          }
        >
          Clear
        </Button>
      )}
      <p role="status" className="tnum text-label text-muted sm:ml-auto">
        {summary && !loading ? countWords(summary) : 'reading …'}
      </p>
    </search>
  )
}

function countWords(page: SessionListPage): string {
  const count = formatQuantity(page.total, 'session')
  return page.cut ? `the best ${count}` : count
}

/** Keeps what is being typed to itself until there is a pause; follows the address when that changes by other means. */
function SearchField({ params, onChoose }: { params: SessionListParams; onChoose: ChooseSessions }) {
  const [typed, setTyped] = useState<string | null>(null)
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The outside system is the timer: it must not fire for a field that is gone.
  useEffect(() => () => clearTimeout(pause.current), [])

  function type(text: string) {
    setTyped(text)
    clearTimeout(pause.current)
    pause.current = setTimeout(() => {
      onChoose((now) => searchFor(now, text))
      setTyped(null)
    }, PAUSE_MS)
  }

  return (
    <div className="relative col-span-full w-full sm:w-72">
      <span className="pointer-events-none absolute top-2 left-2.5 text-muted">
        <SearchGlyph />
      </span>
      <input
        type="search"
        name="q"
        data-find
        value={typed ?? params.q}
        maxLength={200}
        onChange={(event) => type(event.target.value)}
        onKeyDown={leaveOnEscape}
        placeholder="Search names and content"
        aria-label="Search sessions"
        aria-keyshortcuts="/"
        autoComplete="off"
        spellCheck={false}
        className="h-8 w-full rounded-md border border-line-strong bg-surface pr-2 pl-8 text-table placeholder:text-muted"
      />
    </div>
  )
}

/** Escape leaves the field with what stands in it; browsers would empty it. */
function leaveOnEscape(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Escape') return
  event.preventDefault()
  event.currentTarget.blur()
}

function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string | null
  options: readonly Facet[]
  onChange: (value: string | null) => void
}) {
  // A value from the address stays visible even when no session has it.
  const missing = value !== null && !options.some((option) => option.value === value)
  return (
    <select
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || null)}
      className="h-8 min-w-0 rounded-md border border-line bg-surface px-2 text-table sm:max-w-44"
    >
      <option value="">{`${label}: all`}</option>
      {missing && <option value={value}>{value}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {`${option.label} (${option.count})`}
        </option>
      ))}
    </select>
  )
}
