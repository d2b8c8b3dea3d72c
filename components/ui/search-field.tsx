'use client'

import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { SearchGlyph } from './glyphs'

/** Typing pauses this long before what is shown follows. */
const PAUSE_MS = 200

/** A field that keeps what is being typed to itself until there is a pause, and follows its value when that changes. */
export function SearchField({
  name,
  value,
  label,
  placeholder,
  onSearch,
}: {
  /** Under which browsers remember what was typed here. */
  name?: string
  value: string
  label: string
  placeholder: string
  onSearch: (text: string) => void
}) {
  const [typed, setTyped] = useState<string | null>(null)
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The outside system is the timer: it must not fire for a field that is gone.
  useEffect(() => () => clearTimeout(pause.current), [])

  function type(text: string) {
    setTyped(text)
    clearTimeout(pause.current)
    pause.current = setTimeout(() => {
      onSearch(text)
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
        name={name}
        data-find
        value={typed ?? value}
        maxLength={200}
        onChange={(event) => type(event.target.value)}
        onKeyDown={leaveOnEscape}
        placeholder={placeholder}
        aria-label={label}
        aria-keyshortcuts="/"
        autoComplete="off"
        spellCheck={false}
        className="h-8 w-full rounded-md border border-line-strong bg-surface pr-2 pl-8 text-table placeholder:text-muted"
      />
    </div>
  )
}

/** Escape leaves the field with what is in it; browsers would empty it. */
function leaveOnEscape(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Escape') return
  event.preventDefault()
  event.currentTarget.blur()
}
