import { useId } from 'react'
import { TypedInput } from '@/components/policy/typed-input'
import type { CleanupWishes } from '@/lib/view/maintenance/cleanup'

/** What OpenClaw is asked besides its own limits. */
export function Wishes({
  name,
  wishes,
  disabled,
  onChange,
}: {
  /** Of the database, for a reader. */
  name: string
  wishes: CleanupWishes
  disabled: boolean
  onChange: (wishes: CleanupWishes) => void
}) {
  const id = useId()
  return (
    <fieldset disabled={disabled} className="flex flex-col gap-2 text-table">
      <legend className="sr-only">{`What to ask of ${name}`}</legend>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <label htmlFor={id} className="font-medium">
          Must stay
        </label>
        <TypedInput
          id={id}
          aria-describedby={`${id}-about`}
          value={wishes.active ?? ''}
          placeholder="agent:main:…"
          disabled={disabled}
          onCommit={(text) => onChange({ ...wishes, active: text.trim() === '' ? null : text.trim() })}
          className="w-full sm:w-72"
        />
        <span id={`${id}-about`} className="text-label text-muted">
          the key of a session that is kept whatever its age
        </span>
      </div>
      <label className="flex items-baseline gap-2">
        <input
          type="checkbox"
          checked={wishes.fixMissing}
          onChange={(event) => onChange({ ...wishes, fixMissing: event.target.checked })}
        />
        <span>Also remove sessions whose transcripts hold no message</span>
      </label>
    </fieldset>
  )
}
