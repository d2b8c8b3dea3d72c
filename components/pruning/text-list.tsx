'use client'

import { HostileText } from '@/components/entry/hostile-text'
import { ChunkCard, type ChunkCells, type ListedChunks } from '@/components/session/chunk-card'
import { Badge, type Tone } from '@/components/ui/badge'
import { EmptyState } from '@/components/ui/empty-state'
import { EstimateMark } from '@/components/ui/figure'
import { PRUNE_RULE_WORDS } from '@/lib/core/pruning/prune-rule-names'
import type { PruneKnobs } from '@/lib/view/pruning/prune-knobs'
import { PRUNE_ACTION_WORDS, PRUNE_PAGE_ROWS, type PruneTextRow } from '@/lib/view/pruning/prune-preview'
import { formatCount } from '@/lib/view/text/format'
import { signedCount } from '@/lib/view/text/signed'
import { visibleLine } from '@/lib/view/text/visible-text'
import { textsQuery } from './prune-queries'

const TONES: { readonly [A in PruneTextRow['action']]: Tone } = {
  clear: 'attention',
  trim: 'accent',
  keep: 'ok',
}

/** Every text that rules could ask for, with its one reason and the way to its source. */
export function TextList(list: ListedChunks<PruneKnobs, PruneTextRow['action']>) {
  const { id, knobs, action, onAction, onOpen } = list
  return (
    <ChunkCard
      title="Results and arguments"
      noun="text"
      action={action}
      words={PRUNE_ACTION_WORDS}
      onAction={onAction}
      label="Texts of the context"
      testId="texts"
      columns={['Text and reason', 'Tokens freed']}
      amountWidth="w-28"
      pageRows={PRUNE_PAGE_ROWS}
      query={(page) => textsQuery(id, knobs, action, page)}
      cells={cellsOf}
      empty={<NoTexts action={action} />}
      onOpen={onOpen}
    />
  )
}

function NoTexts({ action }: { action: PruneTextRow['action'] | null }) {
  return (
    <div className="px-4 pb-3">
      <EmptyState title={action === 'keep' ? 'Nothing is kept' : 'Nothing to take out'}>
        <p data-testid="no-texts">
          {action === null
            ? 'No tool was called in what this call is sent.'
            : 'No result and no argument has this decision; move the knobs, or show all.'}
        </p>
      </EmptyState>
    </div>
  )
}

function cellsOf(row: PruneTextRow): ChunkCells {
  const { action, rule, reason, what, tool, tokens, freed, seq, line, preview } = row
  return {
    head: (
      <>
        <Badge tone={TONES[action]}>{PRUNE_ACTION_WORDS[action].label.toLowerCase()}</Badge>
        <span className="max-w-1/2 shrink-0 truncate">{`${what} of ${visibleLine(tool) || 'a tool'}`}</span>
        <span className="truncate text-muted">
          <HostileText text={preview ?? ''} />
        </span>
      </>
    ),
    why: rule === null ? reason : `${PRUNE_RULE_WORDS[rule].label}: ${reason}`,
    amount: (
      <>
        {action === 'keep' ? formatCount(tokens) : signedCount(-freed)}
        <EstimateMark errorPct={null} />
        {action !== 'keep' && (
          <span className="block text-label text-muted">{`of ${formatCount(tokens)}`}</span>
        )}
      </>
    ),
    seq,
    line,
    data: { 'data-action': action, 'data-rule': rule ?? '' },
  }
}
