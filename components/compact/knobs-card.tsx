'use client'

import { useId, useState } from 'react'
import { Switch } from '@/components/policy/switch'
import { TypedInput } from '@/components/policy/typed-input'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import type { Policy } from '@/lib/core/policy/policy'
import { valueAt } from '@/lib/core/policy/resolve'
import { faultOf } from '@/lib/core/policy/schema-at'
import { formatCount, formatPercent } from '@/lib/view/format'
import {
  LONGEST_FOCUS,
  PLAN_KNOBS,
  type PlanKnob,
  type PlanKnobs,
  planKnobWords,
} from '@/lib/view/plan-knobs'
import { parseField } from '@/lib/view/policy-field'
import { type SessionPolicy, TRIAL_BASES, trialPolicy } from '@/lib/view/policy-trial'

/** The policy that is tried on this session, and what of it a plan depends on. Nothing is saved. */
export function KnobsCard({
  inForce,
  knobs,
  window,
  calls,
  onKnobs,
}: {
  inForce: SessionPolicy
  knobs: PlanKnobs
  /** In tokens. */
  window: number
  calls: number
  onKnobs: (change: Partial<PlanKnobs>) => void
}) {
  const base = trialPolicy(inForce.policy, knobs.base, {})
  const policy = trialPolicy(inForce.policy, knobs.base, knobs.changes)
  const moved = Object.keys(knobs.changes).length
  const set = (path: string, value: unknown) => {
    const { [path]: _before, ...others } = knobs.changes
    onKnobs({ changes: valueAt(base, path) === value ? others : { ...others, [path]: value } })
  }
  return (
    <Card
      title="Policy"
      note="tried on this session; nothing is saved"
      aside={
        moved > 0 && (
          <Button kind="quiet" onClick={() => onKnobs({ changes: {} })}>
            As it was
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-3" data-testid="knobs">
        {inForce.problem !== null && (
          <p className="isolate-text text-label text-attention">
            {`The default policy, because the files cannot be read: ${inForce.problem}`}
          </p>
        )}
        <label className="flex items-center gap-2 text-table">
          <span className="w-32 shrink-0">Begin from</span>
          <select
            value={knobs.base}
            onChange={(event) => {
              const chosen = TRIAL_BASES.find((option) => option === event.target.value) ?? 'effective'
              onKnobs({ base: chosen, changes: {} })
            }}
            className="h-8 min-w-0 flex-1 rounded-md border border-line-strong bg-surface px-2 md:h-7"
          >
            {TRIAL_BASES.map((option) => (
              <option key={option} value={option}>
                {option === 'effective' ? 'the policy in force' : `preset ${option}`}
              </option>
            ))}
          </select>
        </label>
        <ul aria-label="Knobs" className="flex flex-col">
          {PLAN_KNOBS.map((knob) => (
            <Knob
              key={knob.path}
              knob={knob}
              policy={policy}
              window={window}
              origin={
                knob.path in knobs.changes
                  ? 'tried'
                  : knobs.base === 'effective'
                    ? (inForce.origin[knob.path]?.label ?? 'default')
                    : `preset ${knobs.base}`
              }
              onChange={(value) => set(knob.path, value)}
            />
          ))}
        </ul>
        <CallKnob call={knobs.call} calls={calls} onCall={(call) => onKnobs({ call })} />
        <SummaryKnobs policy={policy} knobs={knobs} onKnobs={onKnobs} />
      </div>
    </Card>
  )
}

function Knob({
  knob,
  policy,
  window,
  origin,
  onChange,
}: {
  knob: PlanKnob
  policy: Policy
  window: number
  origin: string
  onChange: (value: unknown) => void
}) {
  const [problem, setProblem] = useState<string | null>(null)
  const { label, about } = planKnobWords(knob)
  const { path, kind, range } = knob
  const value = valueAt(policy, path)
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
            {knob.options?.map((option) => (
              <option key={option}>{option}</option>
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
      <p className="text-label text-muted max-sm:hidden">{idle ? 'Only with a rolling summary.' : about}</p>
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

function CallKnob({
  call,
  calls,
  onCall,
}: {
  call: number | null
  calls: number
  onCall: (call: number | null) => void
}) {
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line pt-2 text-table">
      <span className="min-w-0 flex-1 font-medium">
        At call
        <span className="ml-2 text-label font-normal text-muted">
          {call === null ? 'the next one' : `of ${formatCount(calls)}; dry run only`}
        </span>
      </span>
      <TypedInput
        numeric
        aria-label="At call"
        placeholder="next"
        value={call === null ? '' : String(call)}
        onCommit={(text) => {
          const number = Number(text.trim())
          const isCall = Number.isInteger(number) && number >= 1 && number <= calls
          onCall(isCall ? number : null)
        }}
        className="w-24"
      />
      {call !== null && (
        <Button kind="quiet" onClick={() => onCall(null)}>
          Next
        </Button>
      )}
    </div>
  )
}

function SummaryKnobs({
  policy,
  knobs,
  onKnobs,
}: {
  policy: Policy
  knobs: PlanKnobs
  onKnobs: (change: Partial<PlanKnobs>) => void
}) {
  const focusId = useId()
  const { model } = policy.summary
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-2">
      {model === '' ? (
        <p className="text-label text-muted">
          The policy names no model: the summary is a digest, made here from the messages themselves.
        </p>
      ) : (
        <label className="flex flex-wrap items-center gap-2 text-table">
          <span className="min-w-0 flex-1 font-medium">Summary by</span>
          <select
            value={knobs.digest ? 'digest' : 'model'}
            onChange={(event) => onKnobs({ digest: event.target.value === 'digest' })}
            className="h-8 max-w-full min-w-0 rounded-md border border-line-strong bg-surface px-2 md:h-7"
          >
            <option value="model">{model}</option>
            <option value="digest">digest, no model</option>
          </select>
        </label>
      )}
      <div className="flex flex-col gap-1 text-table">
        <label htmlFor={focusId} className="font-medium">
          Focus
        </label>
        <TypedInput
          id={focusId}
          value={knobs.focus}
          placeholder="what the summary should pay most attention to"
          onCommit={(text) => onKnobs({ focus: text.trim().slice(0, LONGEST_FOCUS) })}
          className="w-full"
        />
      </div>
    </div>
  )
}
