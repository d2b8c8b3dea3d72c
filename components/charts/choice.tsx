import { classes } from '@/components/ui/classes'

/** One of a few, side by side. */
export function ChoiceButtons<V extends string>({
  legend,
  options,
  chosen,
  onChoose,
}: {
  /** What is chosen, for readers who do not see the place of it. */
  legend: string
  options: readonly { readonly value: V; readonly label: string }[]
  chosen: V
  onChoose: (value: V) => void
}) {
  return (
    <fieldset className="inline-flex rounded-md border border-line p-0.5" title={legend}>
      <legend className="sr-only">{legend}</legend>
      {options.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={chosen === value}
          onClick={() => onChoose(value)}
          className={classes(
            'h-6 rounded-sm px-2 text-label',
            chosen === value ? 'bg-inset font-medium' : 'text-muted hover:text-text',
          )}
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
}
