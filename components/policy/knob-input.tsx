'use client'

import { classes } from '@/components/ui/classes'
import { type PolicyField, parseField } from '@/lib/view/policy/policy-field'
import { Switch } from './switch'
import { TypedInput } from './typed-input'

/** The input of one value, by its kind. Numbers are taken while they are typed, everything else when it is meant. */
export function KnobInput({
  field,
  id,
  describedBy,
  disabled,
  onChange,
}: {
  field: PolicyField
  id: string
  describedBy: string
  disabled: boolean
  onChange: (value: unknown) => void
}) {
  const invalid = field.problem?.severity === 'error'
  if (field.kind === 'flag' && typeof field.value === 'boolean' && !invalid) {
    return (
      <Switch
        id={id}
        label={field.label}
        hideLabel
        on={field.value}
        disabled={disabled}
        describedBy={describedBy}
        onChange={onChange}
      />
    )
  }
  if (field.kind === 'choice' && !invalid) {
    return (
      <select
        id={id}
        aria-describedby={describedBy}
        value={field.text}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value)}
        className="h-8 min-w-0 rounded-md border border-line-strong bg-surface px-2 text-table disabled:opacity-60 md:h-7"
      >
        {field.options.map((option) => (
          <option key={option.value} value={option.value} title={option.about}>
            {option.value}
          </option>
        ))}
      </select>
    )
  }
  const numeric = field.kind === 'number'
  return (
    <TypedInput
      id={id}
      aria-describedby={describedBy}
      numeric={numeric}
      value={field.text}
      disabled={disabled}
      invalid={invalid}
      placeholder={field.nullable ? 'no limit' : undefined}
      live={numeric ? (text) => isPlainNumber(text) : undefined}
      onCommit={(text) => onChange(parseField(field, text))}
      className={classes(numeric ? 'w-28' : 'w-full max-w-72')}
    />
  )
}

/** Complete as it is: a text that ends in a point or a unit is still being typed. */
function isPlainNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text.trim())
}
