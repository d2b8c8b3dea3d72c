'use client'

import { CategorySwatch } from '@/components/charts/category-swatch'
import { HostileText } from '@/components/entry/hostile-text'
import { ChunkCard, type ChunkCells, type ListedChunks } from '@/components/session/chunk-card'
import { Badge, type Tone } from '@/components/ui/badge'
import { EstimateMark } from '@/components/ui/figure'
import { type ChunkAction, PLAN_RULES } from '@/lib/core/compaction/plan'
import { CATEGORY_VIEWS } from '@/lib/view/charts/category'
import { ACTION_WORDS, CHUNK_PAGE_ROWS, type ChunkRow } from '@/lib/view/compaction/compact-plan'
import type { PlanKnobs } from '@/lib/view/compaction/plan-knobs'
import { rowKind } from '@/lib/view/session/context-page'
import { formatCount, formatQuantity } from '@/lib/view/text/format'
import { visibleLine } from '@/lib/view/text/visible-text'
import { chunksQuery } from './compact-queries'

const TONES: { readonly [A in ChunkAction]: Tone } = {
  keep: 'ok',
  summarise: 'accent',
  prune: 'attention',
  drop: 'danger',
}

/** Every chunk of the plan, with its rule and the way to its source. */
export function ChunkList({ id, knobs, action, onAction, onOpen }: ListedChunks<PlanKnobs, ChunkAction>) {
  return (
    <ChunkCard
      title="Chunks"
      noun="chunk"
      action={action}
      words={ACTION_WORDS}
      onAction={onAction}
      label="Chunks of the plan"
      testId="chunks"
      columns={['Chunk and rule', 'Tokens']}
      amountWidth="w-24"
      pageRows={CHUNK_PAGE_ROWS}
      query={(page) => chunksQuery(id, knobs, action, page)}
      cells={cellsOf}
      onOpen={onOpen}
    />
  )
}

function cellsOf(row: ChunkRow): ChunkCells {
  const { action, rule, category, entries, seq, line, tokens, preview } = row
  const kind = visibleLine(rowKind(row)) || CATEGORY_VIEWS[category].label
  return {
    head: (
      <>
        <Badge tone={TONES[action]}>{ACTION_WORDS[action].label.toLowerCase()}</Badge>
        <CategorySwatch category={category} size={10} />
        <span className="max-w-1/2 shrink-0 truncate">
          {seq === null ? 'Before the conversation' : kind}
          {entries > 1 && <span className="text-muted">{` + ${formatQuantity(entries - 1, 'result')}`}</span>}
        </span>
        <span className="truncate text-muted">
          <HostileText text={preview ?? ''} />
        </span>
      </>
    ),
    why: PLAN_RULES[rule],
    amount: (
      <>
        {formatCount(tokens)}
        <EstimateMark errorPct={null} />
      </>
    ),
    seq,
    line,
    data: { 'data-action': action },
  }
}
