'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'

/** Another name for an experiment. */
export function NameEditor({
  name,
  onSave,
  onClose,
}: {
  name: string
  onSave: (name: string) => void
  onClose: () => void
}) {
  const [value, setValue] = useState(name)
  return (
    <form
      action={() => onSave(value.trim())}
      className="flex flex-wrap items-center gap-2"
      aria-label="Name of the experiment"
    >
      <input
        aria-label="Name"
        value={value}
        maxLength={120}
        required
        onChange={(event) => setValue(event.target.value)}
        className="h-8 min-w-0 flex-1 basis-48 rounded-md border border-line-strong bg-surface px-2.5 text-table"
      />
      <Button kind="primary" type="submit" disabled={value.trim() === ''}>
        Save
      </Button>
      <Button kind="quiet" onClick={onClose}>
        Cancel
      </Button>
    </form>
  )
}
