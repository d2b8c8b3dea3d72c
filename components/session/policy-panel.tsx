'use client'

import { RatioBar } from '@/components/policy/ratio-bar'
import { Switch } from '@/components/policy/switch'
import { ThresholdRail } from '@/components/policy/threshold-rail'
import { TypedInput } from '@/components/policy/typed-input'
import { Button, buttonClasses } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { PageLink } from '@/components/ui/page-link'
import { policyReserve } from '@/lib/core/budget/guard'
import type { Policy } from '@/lib/core/policy/policy'
import { type FrameSeries, isExact } from '@/lib/view/charts/frames-series'
import type { PolicyChanges } from '@/lib/view/policy/policy-edit'
import { parseField } from '@/lib/view/policy/policy-field'
import { NO_FILLS } from '@/lib/view/policy/policy-fills'
import { movedTo, type Threshold, thresholds } from '@/lib/view/policy/policy-lines'
import { policyLink } from '@/lib/view/policy/policy-link'
import { type RatioShares, ratiosOf, regionRows, sharesOf } from '@/lib/view/policy/policy-ratio'
import { crossingsIn, TRIAL_BASES, type TrialBase, trialChanges } from '@/lib/view/policy/policy-trial'
import { formatCount, formatPercent, formatQuantity } from '@/lib/view/text/format'
import type { Trial } from './use-trial'

/**
 * The draft for this session and what would become of others: the main values, moved here, redraw the chart at once.
 * While it is open the chart shows the draft's lines, not the runtime's. Nothing is saved; the policy screen takes over
 * with what was tried.
 */
export function PolicyPanel({
  trial,
  base,
  window,
  series,
  onBase,
}: {
  trial: Trial
  base: TrialBase
  /** Of the session now, in tokens. */
  window: number
  /** Frames of the whole session. */
  series: FrameSeries
  onBase: (base: TrialBase | null) => void
}) {
  const { policy, settled, inForce } = trial
  const tried = Object.keys(trialChanges(inForce.policy, settled)).length
  return (
    <Card
      title="Draft"
      note={
        tried === 0
          ? `Drawn instead of what ${inForce.runtime.runtime.name} does, for a window of ${formatCount(window)} tokens`
          : `${formatQuantity(tried, 'value')} not as your files have it; nothing is saved here`
      }
      aside={
        <Button kind="quiet" onClick={() => onBase(null)}>
          Close
        </Button>
      }
    >
      <div className="flex flex-col gap-4" data-testid="policy-panel">
        {inForce.problem !== null && (
          <p className="isolate-text text-label text-attention">
            {`The default policy, because the files cannot be read: ${inForce.problem}`}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-2">
          <label className="flex min-w-0 flex-1 items-center gap-2 text-table">
            <span className="text-muted">Begin from</span>
            <select
              value={base}
              onChange={(event) => {
                trial.reset()
                onBase(TRIAL_BASES.find((option) => option === event.target.value) ?? 'effective')
              }}
              className="h-8 min-w-0 flex-1 rounded-md border border-line-strong bg-surface px-2 md:h-7"
            >
              {TRIAL_BASES.map((option) => (
                <option key={option} value={option}>
                  {option === 'effective' ? 'your files' : `preset ${option}`}
                </option>
              ))}
            </select>
          </label>
        </div>
        <Regions trial={trial} window={window} />
        <ul aria-label="Load lines" className="flex flex-col">
          {thresholds(policy, window, NO_FILLS)
            .filter((line) => line.kind !== 'checkpoint' && (line.enabled || (line.step ?? 0) === 0))
            .map((line) => (
              <Line
                key={line.id}
                line={line}
                times={crossingsIn(series, line.tokens)}
                exact={isExact(series)}
                onPreview={(at) => trial.preview(at === null ? null : movedTo(settled, line, at))}
                onCommit={(at) => trial.change(movedTo(settled, line, at))}
                onSwitch={(on) => trial.change({ [line.enabledPath]: on })}
              />
            ))}
        </ul>
        <Reserve policy={policy} window={window} onChange={trial.change} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            disabled={tried === 0}
            onClick={() => {
              trial.reset()
              onBase('effective')
            }}
          >
            As your files have it
          </Button>
          <PageLink
            href={policyLink(trialChanges(inForce.policy, settled))}
            className={buttonClasses('primary')}
          >
            Open in Policies
          </PageLink>
        </div>
      </div>
    </Card>
  )
}

function Regions({ trial, window }: { trial: Trial; window: number }) {
  const { policy, settled } = trial
  const changed = (shares: RatioShares): PolicyChanges => {
    const before = ratiosOf(sharesOf(settled.budget))
    return Object.fromEntries(
      Object.entries(ratiosOf(shares)).filter(
        ([path, ratio]) => before[path as keyof typeof before] !== ratio,
      ),
    )
  }
  return (
    <div>
      <Switch
        label="Divide the window"
        on={policy.budget.enabled}
        onChange={(enabled) => trial.change({ 'budget.enabled': enabled })}
      />
      {policy.budget.enabled && (
        <>
          <RatioBar
            shares={sharesOf(policy.budget)}
            disabled={false}
            faded={false}
            onPreview={(shares) => trial.preview(shares === null ? null : changed(shares))}
            onCommit={(shares) => trial.change(changed(shares))}
          />
          <p className="tnum text-label text-muted">
            {regionRows(policy.budget, window)
              .map((row) => `${row.label} ${formatPercent(row.share / 10_000)}`)
              .join(' · ')}
          </p>
        </>
      )}
    </div>
  )
}

function Line({
  line,
  times,
  exact,
  onPreview,
  onCommit,
  onSwitch,
}: {
  line: Threshold
  /** How often this session rose through it. */
  times: number
  /** false when several calls are in one column, so that it may have been more often. */
  exact: boolean
  onPreview: (at: number | null) => void
  onCommit: (at: number) => void
  onSwitch: (on: boolean) => void
}) {
  const often = times === 0 ? 'never reached here' : `crossed ${times}${exact ? '' : ' or more'} × here`
  return (
    <li
      data-row={line.id}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 border-t border-line py-1"
    >
      {(line.step ?? 0) === 0 ? (
        <Switch
          label={line.step === null || line.enabled ? line.label : 'Flushes'}
          on={line.enabled}
          onChange={onSwitch}
        />
      ) : (
        <span className="pl-10 text-table">{line.label}</span>
      )}
      {line.enabled ? (
        <span className="flex items-center gap-1">
          <TypedInput
            numeric
            aria-label={`${line.label}, per cent of the window`}
            value={String(Math.round(line.at * 10_000) / 100)}
            onCommit={(text) => {
              const value = parseField({ kind: 'number', nullable: false }, text.replace(/%\s*$/, ''))
              if (typeof value === 'number') onCommit(value / 100)
            }}
            className="w-14"
          />
          <span className="text-label text-muted">%</span>
        </span>
      ) : (
        <span className="text-label text-muted">off</span>
      )}
      {line.enabled && (
        <>
          <div className="col-span-2 mx-3 -my-1">
            <ThresholdRail
              line={line}
              words={often}
              disabled={false}
              onPreview={onPreview}
              onCommit={onCommit}
            />
          </div>
          <p className="tnum col-span-2 text-label text-muted">
            {`${formatCount(line.tokens)} tokens · ${often}`}
            {line.note !== null && <span className="text-attention">{` · ${line.note}`}</span>}
          </p>
        </>
      )}
    </li>
  )
}

function Reserve({
  policy,
  window,
  onChange,
}: {
  policy: Policy
  window: number
  onChange: (changes: PolicyChanges) => void
}) {
  const fields = [
    ['reserve.tokens', 'Reserve', policy.reserve.tokens],
    ['reserve.floor', 'Floor', policy.reserve.floor],
  ] as const
  return (
    <div className="border-t border-line pt-2">
      <div className="flex flex-wrap gap-4">
        {fields.map(([path, label, value]) => (
          <span key={path} className="flex items-center gap-2 text-table">
            {label}
            <TypedInput
              numeric
              aria-label={`${label}, tokens`}
              value={String(value)}
              onCommit={(text) => {
                const tokens = parseField({ kind: 'number', nullable: false }, text)
                if (typeof tokens === 'number' && Number.isInteger(tokens) && tokens >= 0) {
                  onChange({ [path]: tokens })
                }
              }}
              className="w-20"
            />
          </span>
        ))}
      </div>
      <p className="tnum mt-1 text-label text-muted">
        {`${formatCount(policyReserve(policy, window))} tokens are kept free of ${formatCount(window)}`}
      </p>
    </div>
  )
}
