'use client'

import { useId } from 'react'
import { TypedInput } from '@/components/policy/typed-input'
import { valueAt } from '@/lib/core/policy/resolve'
import type { AskedModel } from '@/lib/core/summary/asked-model'
import { askedWords, SESSION_MODEL_LINE } from '@/lib/view/compaction/compact-plan'
import { LONGEST_FOCUS, PLAN_KNOBS, type PlanKnobs } from '@/lib/view/compaction/plan-knobs'
import { type SessionPolicy, trialPolicy } from '@/lib/view/policy/policy-trial'
import { visibleLine } from '@/lib/view/text/visible-text'
import { TrialCard } from './trial-card'

/** The policy that is tried on this session, and what of it a plan depends on. Nothing is saved. */
export function KnobsCard({
  inForce,
  knobs,
  window,
  calls,
  asked,
  couldAsk,
  onKnobs,
}: {
  inForce: SessionPolicy
  knobs: PlanKnobs
  /** In tokens. */
  window: number
  calls: number
  /** Models that would be asked for the summary, in their order. */
  asked: readonly AskedModel[]
  /** The session's own model, where the operator would have to allow it first. */
  couldAsk: AskedModel | null
  onKnobs: (change: Partial<PlanKnobs>) => void
}) {
  const base = trialPolicy(inForce.policy, knobs.base, {})
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
      <SummaryKnobs asked={asked} couldAsk={couldAsk} knobs={knobs} onKnobs={onKnobs} />
    </TrialCard>
  )
}

function SummaryKnobs({
  asked: [first],
  couldAsk,
  knobs,
  onKnobs,
}: {
  asked: readonly AskedModel[]
  couldAsk: AskedModel | null
  knobs: PlanKnobs
  onKnobs: (change: Partial<PlanKnobs>) => void
}) {
  const focusId = useId()
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-2">
      {first === undefined ? (
        <>
          <p className="text-label text-muted">
            Your settings name no model: the summary is a digest, made here from the messages themselves.
          </p>
          {couldAsk !== null && (
            <p className="isolate-text text-label break-words text-muted" data-testid="could-ask">
              {`The session’s own model, ${visibleLine(askedWords(couldAsk))}, may write it once your settings say so: `}
              <code>{SESSION_MODEL_LINE}</code>
            </p>
          )}
        </>
      ) : (
        <label className="flex flex-wrap items-center gap-2 text-table">
          <span className="min-w-0 flex-1 font-medium">Summary by</span>
          <select
            value={knobs.digest ? 'digest' : 'model'}
            onChange={(event) => onKnobs({ digest: event.target.value === 'digest' })}
            className="h-8 max-w-full min-w-0 rounded-md border border-line-strong bg-surface px-2 md:h-7"
          >
            <option value="model">{visibleLine(first.name)}</option>
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
