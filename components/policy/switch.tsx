import { classes } from '@/components/ui/classes'

/** On or off, with its name beside it. */
export function Switch({
  id,
  label,
  on,
  disabled = false,
  hideLabel = false,
  describedBy,
  onChange,
}: {
  id?: string
  label: string
  on: boolean
  disabled?: boolean
  /** The name is elsewhere on screen and is only spoken. */
  hideLabel?: boolean
  describedBy?: string | undefined
  onChange: (on: boolean) => void
}) {
  return (
    <button
      id={id}
      type="button"
      role="switch"
      aria-checked={on}
      aria-label={label}
      aria-describedby={describedBy}
      disabled={disabled}
      onClick={() => onChange(!on)}
      className="inline-flex h-8 items-center gap-2 text-table disabled:opacity-60 md:h-7"
    >
      <span
        aria-hidden="true"
        className={classes(
          'inline-flex h-[18px] w-8 items-center rounded-full border px-0.5 transition-colors duration-120',
          on ? 'border-transparent bg-accent' : 'border-line-strong bg-inset',
        )}
      >
        <span
          className={classes(
            'size-3 rounded-full transition-transform duration-120',
            on ? 'translate-x-[14px] bg-on-accent' : 'bg-muted',
          )}
        />
      </span>
      {!hideLabel && <span>{label}</span>}
    </button>
  )
}
