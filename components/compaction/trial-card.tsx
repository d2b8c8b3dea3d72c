'use client'

import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import type { PlanKnob, PlanKnobs } from '@/lib/view/compaction/plan-knobs'
import { type SessionPolicy, TRIAL_BASES, trialPolicy, trialWords } from '@/lib/view/policy/policy-trial'
import { CallKnob } from './call-knob'
import { KnobField } from './knob'

/** What every trial of a policy on a session chooses. */
type Tried = Pick<PlanKnobs, 'base' | 'changes' | 'call'>

/** The policy that is tried on a session: what it begins from, some of its values, and at which call. Nothing is saved. */
export function TrialCard({
  inForce,
  list,
  knobs,
  window,
  calls,
  onKnobs,
  onChange,
  children,
}: {
  inForce: SessionPolicy
  /** The values that can be moved here. */
  list: readonly PlanKnob[]
  knobs: Tried
  /** In tokens. */
  window: number
  calls: number
  onKnobs: (change: Partial<Tried>) => void
  onChange: (path: string, value: unknown) => void
  /** What is chosen besides. */
  children?: ReactNode
}) {
  const { base, changes, call } = knobs
  const [explained, setExplained] = useState(false)
  const policy = trialPolicy(inForce.policy, base, changes)
  const origin = (path: string) => {
    if (path in changes) return 'tried'
    return base === 'effective' ? (inForce.origin[path]?.label ?? 'default') : `preset ${base}`
  }
  return (
    <Card
      title="Draft"
      note={`tried on this session, which ${inForce.runtime.runtime.name} compacts by its own rules; nothing is saved`}
      aside={
        <>
          {Object.keys(changes).length > 0 && (
            <Button kind="quiet" onClick={() => onKnobs({ changes: {} })}>
              Reset
            </Button>
          )}
          <Button kind="quiet" aria-pressed={explained} onClick={() => setExplained(!explained)}>
            Explain
          </Button>
        </>
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
            value={base}
            onChange={(event) => {
              const chosen = TRIAL_BASES.find((option) => option === event.target.value) ?? 'effective'
              onKnobs({ base: chosen, changes: {} })
            }}
            className="h-8 min-w-0 flex-1 rounded-md border border-line-strong bg-surface px-2 md:h-7"
          >
            {TRIAL_BASES.map((option) => (
              <option key={option} value={option}>
                {trialWords(option)}
              </option>
            ))}
          </select>
        </label>
        <ul aria-label="Knobs" className="flex flex-col">
          {list.map((knob) => (
            <KnobField
              key={knob.path}
              knob={knob}
              policy={policy}
              window={window}
              origin={origin(knob.path)}
              explained={explained}
              onChange={(value) => onChange(knob.path, value)}
            />
          ))}
        </ul>
        <CallKnob call={call} calls={calls} onCall={(chosen) => onKnobs({ call: chosen })} />
        {children}
      </div>
    </Card>
  )
}
