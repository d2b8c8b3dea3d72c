'use client'

import { useState } from 'react'
import { Switch } from '@/components/policy/switch'
import { TypedInput } from '@/components/policy/typed-input'
import { faultOf } from '@/lib/core/policy/fault-of'
import type { Policy } from '@/lib/core/policy/policy'
import { valueAt } from '@/lib/core/policy/resolve'
import { type PlanKnob, planKnobWords } from '@/lib/view/compaction/plan-knobs'
import { parseField } from '@/lib/view/policy/policy-field'
import { formatCount, formatPercent } from '@/lib/view/text/format'

/** One value of a policy that is tried, with where it comes from; what is not allowed says so and is not passed on. */
export function KnobField({
  knob,
  policy,
  window,
  origin,
  explained,
  onChange,
}: {
  knob: PlanKnob
  policy: Policy
  window: number
  origin: string
  /** What it does is said below it, and not only where it is pointed at. */
  explained: boolean
  onChange: (value: unknown) => void
}) {
  const [problem, setProblem] = useState<string | null>(null)
  const { label, about } = planKnobWords(knob)
  const { path, kind, range } = knob
  const value = valueAt(policy, path)
  const chosen = knob.options.find((option) => option.value === value)
  const idle = path === 'summary.rolling.windowTurns' && !policy.summary.rolling.enabled

  function commit(next: unknown) {
    const fault = faultOf(path, next)
    setProblem(fault)
    if (fault === null) onChange(next)
  }

  return (
    <li className="border-t border-line py-2 first:border-t-0 first:pt-0" data-knob={path}>
      <div className="flex flex-wrap items-center gap-x-2">
        <span className="min-w-0 flex-1 text-table font-medium" title={about}>
          {label}
          <span
            className={`isolate-text ml-2 text-label font-normal ${origin === 'tried' ? 'text-accent' : 'text-muted'}`}
          >
            {origin}
          </span>
        </span>
        {kind === 'flag' && <Switch label={label} hideLabel on={value === true} onChange={commit} />}
        {kind === 'choice' && (
          <select
            aria-label={label}
            value={String(value)}
            onChange={(event) => commit(event.target.value)}
            className="h-8 rounded-md border border-line-strong bg-surface px-2 text-table md:h-7"
          >
            {knob.options.map((option) => (
              <option key={option.value} value={option.value} title={option.about}>
                {option.value}
              </option>
            ))}
          </select>
        )}
        {range !== undefined && (
          <TypedInput
            numeric
            aria-label={`${label}${kind === 'share' ? ', per cent' : ''}`}
            value={kind === 'share' ? String(Math.round(Number(value) * 1e4) / 100) : String(value)}
            disabled={idle}
            invalid={problem !== null}
            onCommit={(text) => commit(typedNumber(kind, text))}
            className="w-24"
          />
        )}
        {kind === 'share' && (
          <span aria-hidden="true" className="w-3 text-label text-muted">
            %
          </span>
        )}
      </div>
      {range !== undefined && (
        <input
          type="range"
          aria-label={`${label}, slider`}
          aria-valuetext={kind === 'share' ? formatPercent(Number(value)) : formatCount(Number(value))}
          min={range.from}
          max={range.to === 'window' ? window : range.to}
          step={range.step}
          value={Number(value)}
          disabled={idle}
          onChange={(event) => commit(Number(event.target.value))}
          className="mt-1 h-5 w-full accent-accent disabled:opacity-50"
        />
      )}
      {idle ? (
        <p className="text-label text-muted">Only with a rolling summary.</p>
      ) : (
        explained && <p className="text-label text-muted">{chosen?.about ?? about}</p>
      )}
      {problem !== null && (
        <p role="alert" className="text-label text-danger">
          {problem}
        </p>
      )}
    </li>
  )
}

/** What was typed: shares as per cent, with or without the sign. */
function typedNumber(kind: PlanKnob['kind'], text: string): unknown {
  const value = parseField({ kind: 'number', nullable: false }, text.replace(/%\s*$/, ''))
  return kind === 'share' && typeof value === 'number' ? value / 100 : value
}
