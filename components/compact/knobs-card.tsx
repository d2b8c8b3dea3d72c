'use client'

import { useId } from 'react'
import { TypedInput } from '@/components/policy/typed-input'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import type { Policy } from '@/lib/core/policy/policy'
import { valueAt } from '@/lib/core/policy/resolve'
import { LONGEST_FOCUS, PLAN_KNOBS, type PlanKnobs } from '@/lib/view/plan-knobs'
import { type SessionPolicy, TRIAL_BASES, trialPolicy } from '@/lib/view/policy-trial'
import { CallKnob } from './call-knob'
import { Knob } from './knob'

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
