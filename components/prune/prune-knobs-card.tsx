'use client'

import { CallKnob } from '@/components/compact/call-knob'
import { Knob } from '@/components/compact/knob'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { type SessionPolicy, TRIAL_BASES, trialPolicy } from '@/lib/view/policy-trial'
import { PRUNE_KNOBS, type PruneKnobs } from '@/lib/view/prune-knobs'

/** The policy that is tried, and what of it the rules of pruning go by. Nothing is saved. */
export function PruneKnobsCard({
  inForce,
  knobs,
  window,
  calls,
  onKnobs,
  onChange,
}: {
  inForce: SessionPolicy
  knobs: PruneKnobs
  /** In tokens. */
  window: number
  calls: number
  onKnobs: (change: Partial<PruneKnobs>) => void
  onChange: (path: string, value: unknown) => void
}) {
  const policy = trialPolicy(inForce.policy, knobs.base, knobs.changes)
  const origin = (path: string) => {
    if (path in knobs.changes) return 'tried'
    return knobs.base === 'effective' ? (inForce.origin[path]?.label ?? 'default') : `preset ${knobs.base}`
  }
  return (
    <Card
      title="Policy"
      note="tried on this session; nothing is saved"
      aside={
        Object.keys(knobs.changes).length > 0 && (
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
          {PRUNE_KNOBS.map((knob) => (
            <Knob
              key={knob.path}
              knob={knob}
              policy={policy}
              window={window}
              origin={origin(knob.path)}
              onChange={(value) => onChange(knob.path, value)}
            />
          ))}
        </ul>
        <CallKnob call={knobs.call} calls={calls} onCall={(call) => onKnobs({ call })} />
      </div>
    </Card>
  )
}
