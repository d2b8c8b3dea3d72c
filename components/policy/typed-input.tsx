'use client'

import { useState } from 'react'
import { classes } from '@/components/ui/classes'

/**
 * A text input that keeps what is being typed to itself until it is meant: Enter, leaving the field, or, where `live`
 * says so, each text that reads as a value. Escape goes back.
 */
export function TypedInput({
  value,
  onCommit,
  live,
  invalid = false,
  numeric = false,
  className,
  ...rest
}: {
  value: string
  onCommit: (text: string) => void
  /** Whether a text is taken while it is typed. */
  live?: (text: string) => boolean
  invalid?: boolean
  numeric?: boolean
  className?: string
  id?: string
  disabled?: boolean
  placeholder?: string
  list?: string
  'aria-label'?: string
  'aria-describedby'?: string | undefined
}) {
  const [typed, setTyped] = useState<string | null>(null)

  function commit() {
    if (typed !== null && typed !== value) onCommit(typed)
    setTyped(null)
  }

  return (
    <input
      {...rest}
      type="text"
      inputMode={numeric ? 'decimal' : undefined}
      value={typed ?? value}
      aria-invalid={invalid || undefined}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => {
        const text = event.target.value
        setTyped(text)
        if (live?.(text)) onCommit(text)
      }}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit()
        if (event.key === 'Escape') setTyped(null)
      }}
      className={classes(
        'h-8 min-w-0 rounded-md border bg-surface px-2 text-table disabled:opacity-60 md:h-7',
        numeric && 'tnum text-right',
        invalid ? 'border-danger' : 'border-line-strong',
        className,
      )}
    />
  )
}
