'use client'

import { useId } from 'react'
import { Card } from '@/components/ui/card'
import type { Policy } from '@/lib/core/policy/policy'
import type { PolicyChanges } from '@/lib/view/policy/policy-edit'
import { parseField } from '@/lib/view/policy/policy-field'
import {
  RATIO_PATHS,
  type RatioShares,
  type RegionRow,
  ratiosOf,
  regionRows,
  setShare,
  sharesOf,
} from '@/lib/view/policy/policy-ratio'
import { problemAt } from '@/lib/view/policy/policy-reading'
import { regionEffect, regionEffectWords } from '@/lib/view/policy/region-fills'
import { formatCount, formatPercent } from '@/lib/view/text/format'
import type { DraftCard } from './draft-card'
import { RatioBar } from './ratio-bar'
import { RegionPatterns, RegionSwatch } from './region-patterns'
import { Switch } from './switch'
import { TypedInput } from './typed-input'

/** How a window is divided: one bar to drag, and beside it each region in per cent and tokens. */
export function RegionsCard(card: DraftCard) {
  const { policy, settled, window, fills, problems, locked, onPreview, onChange } = card
  const id = useId()
  const shares = sharesOf(policy.budget)
  const rows = regionRows(policy.budget, window)
  const problem = RATIO_PATHS.map((path) => problemAt(problems, path)).find((found) => found !== null)
  const commit = (next: RatioShares, gesture: string) => onChange(changedOnly(settled, next), gesture)
  return (
    <Card
      title="Regions"
      note={noteOf(policy, window)}
      aside={
        <Switch
          label="Divide the window"
          on={policy.budget.enabled}
          disabled={locked !== null}
          onChange={(enabled) => onChange({ 'budget.enabled': enabled })}
        />
      }
    >
      <RatioBar
        shares={shares}
        disabled={locked !== null}
        faded={!policy.budget.enabled}
        onPreview={(next) => onPreview(next === null ? null : changedOnly(settled, next))}
        onCommit={(next, edge) => commit(next, `edge ${edge}`)}
      />
      <svg width="0" height="0" aria-hidden="true" className="absolute">
        <RegionPatterns prefix={id} />
      </svg>
      {!policy.budget.enabled && (
        <p className="mt-1 text-label text-attention">
          Switched off: history is limited by turns alone. Below each share is what it would do.
        </p>
      )}
      <ul className="mt-2 grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-5">
        {rows.map((row, i) => (
          <li key={row.region} className="flex min-w-0 flex-col gap-1" data-region={row.region}>
            <span className="flex items-center gap-1.5 text-label">
              <span className={policy.budget.enabled ? undefined : 'opacity-40 grayscale'}>
                <RegionSwatch region={row.region} prefix={id} />
              </span>
              <span className="truncate">{row.label}</span>
            </span>
            <span className="flex items-center gap-1">
              <TypedInput
                numeric
                aria-label={`${row.label}, per cent`}
                value={String(row.share / 100)}
                disabled={locked !== null}
                onCommit={(text) => {
                  const share = shareOf(text)
                  if (share !== null) commit(setShare(shares, i, share), `share ${row.region}`)
                }}
                className="w-16"
              />
              <span className="text-label text-muted">%</span>
            </span>
            <RegionTokens row={row} />
            <span className="tnum text-label text-muted" data-effect={row.region}>
              {fills === null
                ? row.region !== 'reserve' && '…'
                : regionEffectWords(row.region, regionEffect(fills.parts, policy.budget, row.region))}
            </span>
          </li>
        ))}
      </ul>
      <p className="tnum mt-3 text-label text-muted">
        {`${shares.map((share) => formatShare(share)).join(' + ')} = ${formatShare(shares.reduce((a, b) => a + b, 0))}`}
        {problem && <span className="ml-2 text-danger">{problem.message}</span>}
        {locked !== null && <span className="ml-2">{locked}</span>}
      </p>
    </Card>
  )
}

function RegionTokens({ row }: { row: RegionRow }) {
  return (
    <span className="tnum text-label text-muted">
      {`${formatCount(row.tokens)} tokens`}
      {row.note !== null && (
        <span
          className="block text-attention"
          title={`The ratio alone would give ${formatCount(row.wanted)} tokens`}
        >
          {row.note}
        </span>
      )}
    </span>
  )
}

/** Only the ratios that move are written: the others stay where they are, in the file or in the preset. */
function changedOnly(policy: Policy, shares: RatioShares): PolicyChanges {
  const before = ratiosOf(sharesOf(policy.budget))
  return Object.fromEntries(
    Object.entries(ratiosOf(shares)).filter(([path, ratio]) => before[path as keyof typeof before] !== ratio),
  )
}

/** Hundredths of a per cent from what was typed in per cent. */
function shareOf(text: string): number | null {
  const value = parseField({ kind: 'number', nullable: false }, text.replace(/%\s*$/, ''))
  return typeof value === 'number' ? value * 100 : null
}

function formatShare(share: number): string {
  return formatPercent(share / 10_000)
}

function noteOf({ budget }: Policy, window: number): string {
  const shares = `Shares of a window of ${formatCount(window)} tokens`
  if (!budget.enabled || !budget.reallocate) return shares
  return `${shares}; history also gets what ${budget.reserveForHistory ? 'the other parts and the reserve leave' : 'system prompt and bootstrap files leave'}`
}
