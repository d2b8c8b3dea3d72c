import { useId } from 'react'

type Option = { readonly value: string; readonly label: string }

const FIELD = 'h-8 min-w-0 rounded-md border border-line bg-surface px-2 text-table'

/** One of several values, or all of them: the empty one. */
export function FilterSelect({
  label,
  value,
  options,
  all = 'all',
  onChange,
}: {
  label: string
  value: string
  options: readonly Option[]
  /** What the empty value means. */
  all?: string
  onChange: (value: string) => void
}) {
  // A value from the address stays visible even when nothing has it.
  const isMissing = value !== '' && !options.some((option) => option.value === value)
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={`${FIELD} sm:max-w-52`}
    >
      <option value="">{`${label}: ${all}`}</option>
      {isMissing && <option value={value}>{value}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}

/** A number or a day with its name before it. */
export function FilterInput({
  label,
  type,
  value,
  step,
  onChange,
}: {
  label: string
  type: 'number' | 'date'
  value: string
  step?: number
  onChange: (value: string) => void
}) {
  const id = useId()
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5">
      <label htmlFor={id} className="text-label whitespace-nowrap text-muted">
        {label}
      </label>
      <input
        id={id}
        type={type}
        value={value}
        step={step}
        onChange={(event) => onChange(event.target.value)}
        className={`${FIELD} tnum ${type === 'number' ? 'w-20' : 'w-36'}`}
      />
    </span>
  )
}

/** What filters over a list are made of: what was asked for, what was found, and how to ask for something else. */
export type Filters<Params, View> = {
  readonly params: Params
  readonly view: View
  readonly loading: boolean
  readonly onChoose: (change: Partial<Params>) => void
}
