'use client'

import { useId } from 'react'
import type { Tokens } from '@/lib/core/units/units'
import type { RegionRow } from '@/lib/view/policy/policy-ratio'
import { formatCount, formatPercent } from '@/lib/view/text/format'
import { RegionPatterns, regionPattern } from './region-patterns'

/** A window in small: its regions as a bar, the load lines as marks across it. Never clickable. */
export function RegionsStrip({
  regions,
  lines,
  window,
  faded = false,
}: {
  regions: readonly RegionRow[]
  lines: readonly { readonly label: string; readonly pct: number }[]
  window: number
  /** The regions are switched off. */
  faded?: boolean
}) {
  const id = useId()
  let start = 0
  const words = regions.map((row) => `${row.label} ${formatPercent(row.tokens / Math.max(1, window))}`)
  return (
    <svg
      role="img"
      aria-label={`${words.length === 0 ? '' : `${words.join(', ')}. `}Load lines: ${lines.map((line) => line.label).join(', ') || 'none'}`}
      width="100%"
      height="24"
      className="block min-w-0 overflow-visible"
    >
      <RegionPatterns prefix={id} />
      {regions.length === 0 && (
        <rect x="0" y="6" width="100%" height="12" fill="none" stroke="var(--line-strong)" />
      )}
      {regions.map((row) => {
        const x = start
        start += row.tokens
        return (
          <rect
            key={row.region}
            x={percent(x, window)}
            y="6"
            width={percent(row.tokens, window)}
            height="12"
            fill={`url(#${regionPattern(id, row.region)})`}
            opacity={faded ? 0.4 : 1}
          >
            <title>{`${row.label}: ${formatCount(row.tokens)} tokens`}</title>
          </rect>
        )
      })}
      {lines.map((line) => (
        <g key={line.label}>
          <title>{line.label}</title>
          <line
            x1={`${line.pct}%`}
            x2={`${line.pct}%`}
            y1="1"
            y2="23"
            stroke="var(--surface)"
            strokeWidth="4"
          />
          <line
            x1={`${line.pct}%`}
            x2={`${line.pct}%`}
            y1="1"
            y2="23"
            stroke="var(--text)"
            strokeWidth="1.5"
          />
          <circle
            cx={`${line.pct}%`}
            cy="12"
            r="2.75"
            fill="var(--surface)"
            stroke="var(--text)"
            strokeWidth="1.25"
          />
        </g>
      ))}
    </svg>
  )
}

function percent(tokens: Tokens, window: number): string {
  return `${window <= 0 ? 0 : (tokens / window) * 100}%`
}
