'use client'

import { useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { DEFAULT_POLICY } from '@/lib/core/policy/default-policy'
import { escapeKey } from '@/lib/core/policy/path'
import type { Policy } from '@/lib/core/policy/policy'
import { canHold } from '@/lib/view/policy/policy-edit'
import type { PolicyEditor } from './use-policy-editor'

const TABLES: {
  readonly [G in keyof Policy]?: {
    readonly label: string
    readonly placeholder: string
    readonly button: string
    readonly path: (name: string) => string
    readonly value: number
  }
} = {
  window: {
    label: 'Window of a model',
    placeholder: 'model id',
    button: 'Add a model',
    path: (name) => `window.byModel.${escapeKey(name)}`,
    value: DEFAULT_POLICY.window.default,
  },
  history: {
    label: 'Turns of a channel',
    placeholder: 'telegram, discord …',
    button: 'Add a channel',
    path: (name) => `history.channels.${escapeKey(name)}.dmTurns`,
    value: 50,
  },
}

/** Adds a row to the tables whose keys the operator chooses: models and channels. */
export function TableKnobs({ group, editor }: { group: keyof Policy; editor: PolicyEditor }) {
  const id = useId()
  const [name, setName] = useState('')
  const table = TABLES[group]
  if (table === undefined || !canHold(editor.document, editor.reading, table.path('x'))) return null
  const trimmed = name.trim()
  return (
    <form
      className="flex flex-wrap items-center gap-2 border-t border-line px-3 py-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (trimmed === '') return
        editor.change({ [table.path(trimmed)]: table.value })
        setName('')
      }}
    >
      <label htmlFor={id} className="text-label text-muted">
        {table.label}
      </label>
      <input
        id={id}
        value={name}
        maxLength={120}
        placeholder={table.placeholder}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setName(event.target.value)}
        className="h-8 w-44 min-w-0 rounded-md border border-line-strong bg-surface px-2 text-table placeholder:text-muted md:h-7"
      />
      <Button type="submit" disabled={trimmed === ''} className="md:h-7">
        {table.button}
      </Button>
    </form>
  )
}
