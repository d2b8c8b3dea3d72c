'use client'

import { ChoiceButtons } from '@/components/charts/choice'
import { TypedInput } from '@/components/policy/typed-input'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import type { KnobOrigin, KnobView, MaintenanceView } from '@/lib/view/maintenance/maintenance'
import type { MaintenanceTrial } from '@/lib/view/maintenance/maintenance-trial'

const GENERATIONS = {
  early: 'OpenClaw of February 2026',
  late: 'OpenClaw since March 2026',
} as const

const MODES = [
  { value: 'warn', label: 'warn' },
  { value: 'enforce', label: 'enforce' },
] as const

/** The limits in force, where each comes from, and a place to try others. */
export function LimitsCard({
  view,
  trial,
  onTry,
}: {
  view: MaintenanceView
  trial: MaintenanceTrial
  onTry: (trial: MaintenanceTrial) => void
}) {
  const { mode, generation } = view
  if (mode === null || generation === null) return null
  return (
    <Card
      title="Limits"
      note={`Defaults of ${GENERATIONS[generation]}; what is tried here changes no configuration`}
      aside={
        Object.keys(trial).length > 0 && (
          <Button kind="quiet" onClick={() => onTry({})}>
            Back to the store’s own
          </Button>
        )
      }
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-3">
        <span className="text-table font-medium">Mode</span>
        <ChoiceButtons
          legend="Mode"
          options={MODES}
          chosen={mode.value}
          onChoose={(chosen) => onTry({ ...trial, mode: chosen })}
        />
        <Origin origin={mode.origin} />
        <span className="text-table text-muted">
          {mode.value === 'warn'
            ? 'only says what would go; nothing is removed'
            : 'a plan can be applied below, after a look at it'}
        </span>
      </div>
      <ul aria-label="Limits" className="grid gap-x-8 gap-y-3 lg:grid-cols-2">
        {view.knobs.map((knob) => (
          <Knob
            key={knob.key}
            knob={knob}
            onTry={(text) => {
              const { [knob.key]: _before, ...others } = trial
              onTry(text.trim() === '' ? others : { ...others, [knob.key]: text.trim() })
            }}
          />
        ))}
      </ul>
      <Keep
        typed={trial.keep ?? ''}
        onTry={(text) => {
          const { keep: _before, ...others } = trial
          onTry(text.trim() === '' ? others : { ...others, keep: text.trim() })
        }}
      />
    </Card>
  )
}

function Keep({ typed, onTry }: { typed: string; onTry: (text: string) => void }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 pt-3">
      <div className="min-w-0 flex-[1_1_14rem]">
        <label htmlFor="keep" className="text-table font-medium">
          Must stay
        </label>
        <p id="keep-about" className="text-label text-muted">
          The key of a session that stays whatever its age. Those in use within the last hour stay by
          themselves.
        </p>
      </div>
      <TypedInput
        id="keep"
        aria-describedby="keep-about"
        value={typed}
        placeholder="agent:main:…"
        onCommit={onTry}
        className="w-full sm:w-72"
      />
    </div>
  )
}

function Knob({ knob, onTry }: { knob: KnobView; onTry: (text: string) => void }) {
  const id = `limit-${knob.key}`
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
      <div className="min-w-0 flex-[1_1_14rem]">
        <p className="flex flex-wrap items-center gap-2 text-table">
          <label htmlFor={id} className="font-medium">
            {knob.label}
          </label>
          <span className="tnum">{knob.value}</span>
          <Origin origin={knob.origin} />
        </p>
        <p id={`${id}-about`} className="text-label text-muted">
          {`${knob.about} Default: ${knob.fallback}.`}
        </p>
        {knob.problem !== null && (
          <p role="alert" className="text-label text-danger">
            {knob.problem}
          </p>
        )}
      </div>
      <TypedInput
        id={id}
        aria-describedby={`${id}-about`}
        value={knob.typed}
        placeholder={`try ${knob.example}`}
        invalid={knob.problem !== null}
        onCommit={onTry}
        className="w-28"
      />
    </li>
  )
}

function Origin({ origin }: { origin: KnobOrigin }) {
  return <Badge tone={origin === 'tried' ? 'accent' : 'neutral'}>{origin}</Badge>
}
