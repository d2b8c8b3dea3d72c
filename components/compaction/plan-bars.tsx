'use client'

import { CategoryPatterns } from '@/components/charts/category-patterns'
import { CategorySwatch } from '@/components/charts/category-swatch'
import { FigureText } from '@/components/ui/figure'
import { Heads, Table, Td, Th, Tr } from '@/components/ui/table'
import type { Figure } from '@/lib/core/tokens/figure'
import { CATEGORY_VIEWS, patternId } from '@/lib/view/charts/category'
import { type PlanPart, planRows } from '@/lib/view/compaction/compact-plan'
import { formatCount, formatPercent } from '@/lib/view/text/format'
import { signedCount } from '@/lib/view/text/signed'

const HEIGHT = 22

type Side = { readonly total: Figure; readonly parts: readonly PlanPart[] }

/** The window before and after, on one scale that ends at the window, and the same in numbers. */
export function PlanBars({ before, after, window }: { before: Side; after: Side; window: number }) {
  const sum = (parts: readonly PlanPart[]) => parts.reduce((total, { tokens }) => total + tokens, 0)
  const scale = Math.max(window, sum(before.parts), sum(after.parts))
  return (
    <div className="flex flex-col gap-3">
      <svg width="0" height="0" aria-hidden="true" className="absolute">
        <CategoryPatterns prefix="plan" />
      </svg>
      <div className="flex flex-col gap-2">
        <Bar name="Before" side={before} scale={scale} window={window} />
        <Bar name="After" side={after} scale={scale} window={window} />
      </div>
      <details className="text-table">
        <summary className="cursor-pointer text-muted hover:text-text">By category, in numbers</summary>
        <Numbers before={before} after={after} />
      </details>
    </div>
  )
}

function Bar({ name, side, scale, window }: { name: string; side: Side; scale: number; window: number }) {
  const words = side.parts
    .map(({ category, tokens }) => `${CATEGORY_VIEWS[category].label} ${formatCount(tokens)}`)
    .join(', ')
  return (
    <div className="grid grid-cols-[3.5rem_minmax(0,1fr)] items-center gap-x-2 sm:grid-cols-[3.5rem_minmax(0,1fr)_12rem]">
      <span className="text-table text-muted">{name}</span>
      <div
        role="img"
        aria-label={`${name}: ${words}`}
        className="relative overflow-hidden rounded-sm bg-inset"
        style={{ height: HEIGHT }}
      >
        <div className="flex h-full gap-px">
          {side.parts.map(({ category, tokens }) => (
            <svg
              key={category}
              height={HEIGHT}
              className="block min-w-0.5 shrink-0"
              style={{ width: `${(100 * tokens) / scale}%` }}
            >
              <title>{`${CATEGORY_VIEWS[category].label}: ${formatCount(tokens)} tokens`}</title>
              <rect width="100%" height={HEIGHT} fill={`url(#${patternId('plan', category)})`} />
            </svg>
          ))}
        </div>
        {window < scale && (
          <span
            className="absolute inset-y-0 w-0.5 bg-danger"
            title={`end of the window: ${formatCount(window)} tokens`}
            style={{ left: `${(100 * window) / scale}%` }}
          />
        )}
      </div>
      <span className="tnum col-start-2 text-table sm:col-start-3 sm:text-right">
        <FigureText figure={side.total} className="font-medium" />
        {side.total.value !== null && (
          <span className="text-muted">{` · ${formatPercent(side.total.value / window)} of window`}</span>
        )}
      </span>
    </div>
  )
}

function Numbers({ before, after }: { before: Side; after: Side }) {
  return (
    <div className="mt-2">
      <Table caption="Tokens before and after, by category">
        <Heads text={['Category']} numbers={['Before', 'After', 'Change']} />
        <tbody>
          {planRows(before.parts, after.parts).map((row) => (
            <Tr key={row.category}>
              <Th scope="row">
                <span className="flex items-center gap-2">
                  <CategorySwatch category={row.category} />
                  {CATEGORY_VIEWS[row.category].label}
                </span>
              </Th>
              <Td numeric>{formatCount(row.before)}</Td>
              <Td numeric>{formatCount(row.after)}</Td>
              <Td numeric>{signedCount(Math.round(row.after - row.before))}</Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      <p className="mt-1 text-label text-muted">
        The split is ≈ estimated; after the next call the provider says how much it really is.
      </p>
    </div>
  )
}
