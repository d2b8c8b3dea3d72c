import { Button } from '@/components/ui/button'
import type { PolicyOption } from '@/lib/view/lab/lab-page'

/** Policies to be compared, by what they go by; each says what it does. */
export function PolicyChoices({
  options,
  chosen,
  onChosen,
}: {
  options: readonly PolicyOption[]
  chosen: readonly string[]
  onChosen: (ids: readonly string[]) => void
}) {
  const groups = [...new Set(options.map(({ group }) => group))]
  const isChosen = new Set(chosen)
  const toggle = (id: string) =>
    onChosen(
      options
        .filter((option) => (option.id === id ? !isChosen.has(id) : isChosen.has(option.id)))
        .map((option) => option.id),
    )
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 text-label font-medium text-muted">Policies</legend>
      <div className="flex flex-wrap items-center gap-2">
        <p className="tnum text-table text-muted">{`${chosen.length} of ${options.length} chosen`}</p>
        <Button kind="quiet" onClick={() => onChosen(options.map(({ id }) => id))}>
          All
        </Button>
        <Button kind="quiet" onClick={() => onChosen([])}>
          None
        </Button>
      </div>
      <div className="gap-x-6 sm:columns-2 xl:columns-3">
        {groups.map((group) => (
          <fieldset key={group} className="mb-4 flex min-w-0 break-inside-avoid flex-col gap-1">
            <legend className="mb-1 text-table font-medium">{group}</legend>
            {options
              .filter((option) => option.group === group)
              .map(({ id, label, about }) => (
                <label key={id} title={about} className="flex items-start gap-2 text-table">
                  <input
                    type="checkbox"
                    className="mt-0.5"
                    checked={isChosen.has(id)}
                    onChange={() => toggle(id)}
                  />
                  <span className="isolate-text min-w-0 break-words">{label}</span>
                </label>
              ))}
          </fieldset>
        ))}
      </div>
    </fieldset>
  )
}
