import { type ChangeEvent, useId } from 'react'
import type { DropSetting } from '@/lib/core/logs/what-if'

/** One setting of the two thresholds. `keep` never is below the cut-off. */
export function SettingInputs({
  name,
  setting,
  onChange,
}: {
  name: string
  setting: DropSetting
  onChange: (setting: DropSetting) => void
}) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-table font-medium">{name}</legend>
      <Threshold
        label="Cut-off"
        value={setting.cutoff}
        onChange={(cutoff) => onChange({ cutoff, keep: Math.max(cutoff, setting.keep) })}
      />
      <Threshold
        label="Keep from"
        value={setting.keep}
        onChange={(keep) => onChange({ keep, cutoff: Math.min(keep, setting.cutoff) })}
      />
    </fieldset>
  )
}

function Threshold({
  label,
  value,
  onChange,
}: {
  label: string
  value: number
  onChange: (value: number) => void
}) {
  const id = useId()
  const set = ({ target: { value: text } }: ChangeEvent<HTMLInputElement>) => {
    const next = Number(text)
    if (text !== '' && next >= 0 && next <= 1) onChange(Math.round(next * 100) / 100)
  }
  const share = { min: 0, max: 1, step: 0.01, value, onChange: set }
  return (
    <div className="grid grid-cols-[5rem_minmax(0,1fr)_4.5rem] items-center gap-2 text-table">
      <label htmlFor={id} className="text-muted">
        {label}
      </label>
      <input id={id} type="range" {...share} className="w-full accent-(--accent)" />
      <input
        type="number"
        aria-label={`${label}, as a number`}
        {...share}
        className="tnum h-8 rounded-md border border-line bg-surface px-2 text-right"
      />
    </div>
  )
}
