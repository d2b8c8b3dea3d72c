'use client'

import { useId } from 'react'
import { TypedInput } from '@/components/policy/typed-input'
import type { Policy } from '@/lib/core/policy/policy'
import { valueAt } from '@/lib/core/policy/resolve'
import { LONGEST_FOCUS, PLAN_KNOBS, type PlanKnobs } from '@/lib/view/plan-knobs'
import { type SessionPolicy, trialPolicy } from '@/lib/view/policy-trial'
import { TrialCard } from './trial-card'

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
  const set = (path: string, value: unknown) => {
    const { [path]: _before, ...others } = knobs.changes
    onKnobs({ changes: valueAt(base, path) === value ? others : { ...others, [path]: value } })
  }
  return (
    <TrialCard
      inForce={inForce}
      list={PLAN_KNOBS}
      knobs={knobs}
      window={window}
      calls={calls}
      onKnobs={onKnobs}
      onChange={set}
    >
      <SummaryKnobs policy={policy} knobs={knobs} onKnobs={onKnobs} />
    </TrialCard>
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
