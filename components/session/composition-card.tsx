'use client'

import { useId, useRef } from 'react'
import { StackedBar } from '@/components/charts/stacked-bar'
import { svgText } from '@/components/charts/svg-text'
import { Treemap } from '@/components/charts/treemap'
import { Card } from '@/components/ui/card'
import { classes } from '@/components/ui/classes'
import { FigureText } from '@/components/ui/figure'
import { DownloadGlyph } from '@/components/ui/glyphs'
import { Menu } from '@/components/ui/menu'
import { saveFile } from '@/components/ui/save-file'
import type { Category } from '@/lib/core/tokens/category'
import { CATEGORY_VIEWS } from '@/lib/view/charts/category'
import { clockSeconds } from '@/lib/view/charts/time-axis'
import type { Composition } from '@/lib/view/session/composition'
import { compositionCsv } from '@/lib/view/session/composition-csv'
import type { ContextWhole } from '@/lib/view/session/context-page'
import { CUT_CURE, cutWords } from '@/lib/view/session/seen'
import type { SessionHead } from '@/lib/view/session/session-head'
import { compositionGroups } from '@/lib/view/session/treemap-groups'
import { formatCount } from '@/lib/view/text/format'
import { CompositionFacts } from './composition-facts'
import { CompositionTable } from './composition-table'
import { ExactCountButton } from './exact-count'
import { ProofNote } from './proof-note'
import { useOffsetMinutes } from './use-offset'

/** What filled the window at the chosen call: bar, treemap and table with one selection. */
export function CompositionCard({
  composition,
  stale,
  whole,
  head,
  category,
  onCategory,
  onOpen,
}: {
  composition: Composition
  /** The numbers are of another call than the chosen one, which is on its way. */
  stale: boolean
  /** The entries of this call's context; null while they are on their way. */
  whole: ContextWhole | null
  head: SessionHead
  category: Category | null
  onCategory: (category: Category | null) => void
  onOpen: (seq: number) => void
}) {
  const id = useId()
  const offset = useOffsetMinutes()
  const area = useRef<HTMLDivElement>(null)
  const { call, at, rows, total, seenTokens } = composition
  const parts = rows.flatMap((row) =>
    row.tokens.value === null || row.tokens.value <= 0
      ? []
      : [{ category: row.category, tokens: row.tokens.value }],
  )
  const toggle = (chosen: Category) => onCategory(chosen === category ? null : chosen)
  const name = `${head.id}-call-${call}`

  function saveSvg() {
    const drawing = area.current?.querySelector<SVGSVGElement>('svg[data-export]')
    if (drawing) saveFile({ name: `${name}.svg`, type: 'image/svg+xml', text: svgText(drawing) })
  }

  return (
    <Card
      flush
      title={
        <span className="flex flex-wrap items-baseline gap-x-2">
          <span>{`Call ${formatCount(call)}`}</span>
          {at !== null && <span className="tnum font-normal text-muted">{clockSeconds(at, offset)}</span>}
          <FigureText figure={total} unit="tokens" className="text-figure" />
          <span className="text-label font-normal text-muted">{`(${total.basis})`}</span>
        </span>
      }
      note={windowNote(composition, head)}
      aside={
        <Menu
          label="Save composition"
          trigger={<DownloadGlyph />}
          items={[
            {
              label: 'Save as CSV',
              onSelect: () =>
                saveFile({ name: `${name}.csv`, type: 'text/csv', text: compositionCsv(composition) }),
            },
            { label: 'Save as SVG', onSelect: saveSvg },
          ]}
        />
      }
      className={classes('transition-opacity duration-120', stale && 'opacity-60')}
    >
      {seenTokens !== null && (
        <p role="note" data-testid="cut" className="max-w-[100ch] px-4 pb-2 text-table text-attention">
          {`${cutWords(seenTokens, total.value)} Which messages those were is unknown. ${CUT_CURE}`}
        </p>
      )}
      {head.store.kind === 'claude-code' && !stale && <ProofNote id={head.id} call={call} />}
      <div ref={area} className="flex flex-col gap-3 px-4 pb-3">
        {parts.length === 0 ? (
          <p className="py-6 text-muted">Nothing is known about what this call was sent.</p>
        ) : (
          <>
            <StackedBar parts={parts} id={`${id}b`} selected={category} onSelect={toggle} />
            <Treemap
              groups={compositionGroups(composition, stale ? null : whole, head.report)}
              id={`${id}t`}
              selected={category}
              onSelect={toggle}
              onOpen={onOpen}
            />
          </>
        )}
      </div>
      <CompositionTable
        composition={composition}
        report={head.report}
        selected={category}
        onSelect={toggle}
        label={(c) => CATEGORY_VIEWS[c].label}
      />
      <CompositionFacts composition={composition} />
      <div className="border-t border-line px-4 pt-2 pb-3">
        <ExactCountButton key={call} id={head.id} call={call} seq={null} />
      </div>
    </Card>
  )
}

/** The denominator of the total, and the model. */
function windowNote(composition: Composition, head: SessionHead): string {
  const { value } = composition.total
  const budget = head.window?.budget
  const share =
    value !== null && budget
      ? `${Math.round((value / budget) * 100)}\u202f% of ${formatCount(budget)} effective budget`
      : ''
  return [share, composition.model ?? ''].filter(Boolean).join(' · ')
}
