'use client'

import { useState } from 'react'
import { CategorySwatch } from '@/components/charts/category-swatch'
import { classes } from '@/components/ui/classes'
import { FigureText } from '@/components/ui/figure'
import { TermMark } from '@/components/ui/term'
import type { Category } from '@/lib/core/tokens/category'
import { estimated } from '@/lib/core/tokens/figure'
import type { SystemPromptReport } from '@/lib/core/transcript/session-index'
import type { Composition } from '@/lib/view/session/composition'
import { type FixedGroup, fixedPieces } from '@/lib/view/session/fixed-parts'
import { formatCount, formatPercent } from '@/lib/view/text/format'
import { signedCount } from '@/lib/view/text/signed'

/** The numbers of a call's composition, the largest change since the call before beside them. */
export function CompositionTable({
  composition,
  report,
  selected,
  onSelect,
  label,
}: {
  composition: Composition
  report: SystemPromptReport | null
  selected: Category | null
  onSelect: (category: Category) => void
  label: (category: Category) => string
}) {
  const { rows, total, call, delta } = composition
  const tokensOf = (category: Category) => rows.find((row) => row.category === category)?.tokens.value ?? 0
  const groups = report === null ? [] : fixedPieces(report, tokensOf)
  return (
    <div className="overflow-x-auto border-t border-line">
      <table className="w-full border-collapse text-table">
        <caption className="sr-only">{`Composition of call ${call}`}</caption>
        <thead>
          <tr className="text-label text-muted">
            <th scope="col" className="py-1.5 pl-4 text-left font-medium">
              Category
            </th>
            <th scope="col" className="px-2 py-1.5 text-right font-medium">
              Tokens
            </th>
            <th scope="col" className="px-2 py-1.5 text-right font-medium">
              Share
            </th>
            <th scope="col" className="py-1.5 pr-4 text-right font-medium">
              {call > 1 ? `Δ call ${formatCount(call - 1)}` : 'Δ'}
            </th>
          </tr>
        </thead>
        {[...rows].reverse().map((row) => (
          <CategoryRows
            key={row.category}
            row={row}
            name={label(row.category)}
            group={groups.find((g) => g.category === row.category) ?? null}
            selected={selected === row.category}
            onSelect={() => onSelect(row.category)}
          />
        ))}
        <tfoot>
          <tr className="border-t border-line-strong font-medium">
            <th scope="row" className="h-8 pl-4 text-left">
              Total
            </th>
            <td className="px-2 text-right">
              <FigureText figure={total} />
            </td>
            <td className="tnum px-2 text-right">{total.value === null ? '?' : formatPercent(1)}</td>
            <td className="tnum pr-4 text-right">{signedCount(delta)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

function CategoryRows({
  row,
  name,
  group,
  selected,
  onSelect,
}: {
  row: Composition['rows'][number]
  name: string
  group: FixedGroup | null
  selected: boolean
  onSelect: () => void
}) {
  const [open, setOpen] = useState(false)
  return (
    <tbody>
      <tr
        className={classes('border-t border-line', selected && 'bg-accent-soft')}
        data-category={row.category}
      >
        <th scope="row" className="h-7 pl-4 text-left font-normal whitespace-nowrap">
          <span className="inline-flex items-center gap-2">
            <CategorySwatch category={row.category} />
            <button
              type="button"
              aria-pressed={selected}
              title={`Show only ${name.toLowerCase()} in the list`}
              onClick={onSelect}
              className="hover:underline"
            >
              {name}
            </button>
            {row.category === 'residual' && <TermMark id="residual" name="residual" />}
            {group && (
              <button
                type="button"
                aria-expanded={open}
                onClick={() => setOpen(!open)}
                className="text-label text-accent hover:underline"
              >
                {`${group.pieces.length}\u202f${open ? '▴' : '▾'}`}
                <span className="sr-only">{` parts of ${name}`}</span>
              </button>
            )}
          </span>
        </th>
        <td className="px-2 text-right">
          <FigureText figure={row.tokens} />
        </td>
        <td className="tnum px-2 text-right text-muted">
          {row.share === null ? '?' : formatPercent(row.share)}
        </td>
        <td className={classes('tnum pr-4 text-right', (row.delta ?? 0) === 0 && 'text-muted')}>
          {signedCount(row.delta)}
        </td>
      </tr>
      {open &&
        group?.pieces.map((piece) => (
          <tr key={piece.name} className="text-label">
            <th scope="row" className="isolate-text h-6 pl-10 text-left font-normal">
              {piece.name}
              {piece.missing && <span className="text-attention"> · missing</span>}
              {piece.truncated && (
                <span className="text-attention">
                  {` · truncated, ${formatCount(piece.chars)} of ${formatCount(piece.rawChars ?? piece.chars)} chars`}
                </span>
              )}
            </th>
            <td className="px-2 text-right">
              {piece.missing ? (
                <span className="text-muted">–</span>
              ) : (
                <FigureText
                  figure={estimated(piece.tokens, row.tokens.basis === 'estimated' ? row.tokens.errorPct : 0)}
                />
              )}
            </td>
            <td className="tnum pr-4 pl-2 text-right text-muted" colSpan={2}>
              {`${formatCount(piece.chars)} chars`}
            </td>
          </tr>
        ))}
    </tbody>
  )
}
