'use client'

import { useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { HostileText } from '@/components/session/hostile-text'
import { SpaceRows } from '@/components/session/space-rows'
import { usePages } from '@/components/session/use-pages'
import { Badge, type Tone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { EstimateMark } from '@/components/ui/figure'
import { SearchGlyph } from '@/components/ui/glyphs'
import { Skeleton } from '@/components/ui/skeleton'
import { scrollRegion } from '@/components/ui/table'
import { PRUNE_RULE_WORDS } from '@/lib/core/pruning/prune-rule-names'
import { formatCount, formatQuantity } from '@/lib/view/format'
import type { PruneKnobs } from '@/lib/view/prune-knobs'
import { PRUNE_ACTION_WORDS, PRUNE_PAGE_ROWS, type PruneTextRow } from '@/lib/view/prune-preview'
import { signedCount } from '@/lib/view/signed'
import { visibleLine } from '@/lib/view/visible-text'
import { textsQuery } from './prune-queries'

const ROW = 56

const TONES: { readonly [A in PruneTextRow['action']]: Tone } = {
  clear: 'attention',
  trim: 'accent',
  keep: 'ok',
}

/** Every text that rules could ask for, in the order of the context, with its one reason and the way to its source. */
export function TextList({
  id,
  knobs,
  action,
  onAction,
  onOpen,
}: {
  id: string
  knobs: PruneKnobs
  action: PruneTextRow['action'] | null
  onAction: (action: PruneTextRow['action'] | null) => void
  /** Opens the source of an entry. */
  onOpen: (seq: number) => void
}) {
  const area = useRef<HTMLElement>(null)
  const first = useQuery(textsQuery(id, knobs, action, 0))
  const total = first.data?.total ?? 0
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => area.current,
    estimateSize: () => ROW,
    overscan: 8,
  })
  const items = rows.getVirtualItems()
  const { rowAt, error } = usePages({
    items,
    pageRows: PRUNE_PAGE_ROWS,
    query: (page) => textsQuery(id, knobs, action, page),
  })
  const problem = first.error ?? error
  const which = action === null ? '' : `, ${PRUNE_ACTION_WORDS[action].label.toLowerCase()}`
  const counted = `${formatQuantity(total, 'text')}${which}, in the order of the context`
  return (
    <Card
      flush
      title="Results and arguments"
      note={first.data === undefined ? 'in the order of the context' : counted}
      aside={
        action !== null && (
          <Button kind="quiet" onClick={() => onAction(null)}>
            Show all
          </Button>
        )
      }
    >
      {problem && <ErrorState title="The list could not be read" detail={problem.message} />}
      {first.data !== undefined && total === 0 ? (
        <div className="px-4 pb-3">
          <EmptyState title={action === 'keep' ? 'Nothing is kept' : 'Nothing to take out'}>
            <p data-testid="no-texts">
              {action === null
                ? 'No tool was called in what this call is sent.'
                : 'No result and no argument has this fate; move the knobs, or show all.'}
            </p>
          </EmptyState>
        </div>
      ) : (
        <section
          ref={area}
          {...scrollRegion('Texts of the context')}
          data-testid="texts"
          className="relative h-[480px] overflow-y-auto overscroll-contain"
        >
          <table className="w-full table-fixed border-collapse text-table" aria-rowcount={total + 1}>
            <caption className="sr-only">Texts of the context</caption>
            <colgroup>
              <col />
              <col className="w-28" />
              <col className="w-12" />
            </colgroup>
            <thead className="sr-only">
              <tr>
                <th scope="col">Text and reason</th>
                <th scope="col">Tokens freed</th>
                <th scope="col">Source</th>
              </tr>
            </thead>
            <SpaceRows height={items[0]?.start ?? 0} />
            <tbody>
              {items.map(({ index }) => (
                <Row key={index} row={rowAt(index)} index={index} onOpen={onOpen} />
              ))}
            </tbody>
            <SpaceRows height={rows.getTotalSize() - (items.at(-1)?.end ?? 0)} />
          </table>
        </section>
      )}
    </Card>
  )
}

function Row({
  row,
  index,
  onOpen,
}: {
  row: PruneTextRow | undefined
  index: number
  onOpen: (seq: number) => void
}) {
  if (row === undefined)
    return (
      <tr style={{ height: ROW }} className="border-b border-line">
        <td colSpan={3} className="px-4">
          <Skeleton className="h-3 w-full" />
        </td>
      </tr>
    )
  const { action, rule, reason, what, tool, tokens, freed, seq, line, preview } = row
  const why = rule === null ? reason : `${PRUNE_RULE_WORDS[rule].label}: ${reason}`
  return (
    <tr
      aria-rowindex={index + 2}
      data-action={action}
      data-rule={rule ?? ''}
      style={{ height: ROW }}
      className="border-b border-line"
    >
      <td className="pl-4">
        <p className="flex min-w-0 items-center gap-2">
          <Badge tone={TONES[action]}>{PRUNE_ACTION_WORDS[action].label.toLowerCase()}</Badge>
          <span className="max-w-1/2 shrink-0 truncate">{`${what} of ${visibleLine(tool) || 'a tool'}`}</span>
          <span className="truncate text-muted">
            <HostileText text={preview ?? ''} />
          </span>
        </p>
        <p className="truncate text-label text-muted" title={why}>
          {why}
        </p>
      </td>
      <td className="tnum px-2 text-right whitespace-nowrap">
        {action === 'keep' ? formatCount(tokens) : signedCount(-freed)}
        <EstimateMark errorPct={null} />
        {action !== 'keep' && (
          <span className="block text-label text-muted">{`of ${formatCount(tokens)}`}</span>
        )}
      </td>
      <td className="pr-3 text-right">
        {seq !== null && (
          <button
            type="button"
            aria-label={`Open line ${line ?? '?'}`}
            title={`Open line ${line ?? '?'} of the transcript`}
            onClick={() => onOpen(seq)}
            className="inline-flex size-7 items-center justify-center rounded-md text-muted hover:bg-inset hover:text-text"
          >
            <SearchGlyph />
          </button>
        )}
      </td>
    </tr>
  )
}
