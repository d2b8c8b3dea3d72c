'use client'

import { Fragment, useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Moment } from '@/components/ui/time'
import type { AuditEntryView } from '@/lib/view/audit/audit'
import {
  type CompactionListRow,
  compactionRows,
  freedSpanWords,
  spanWords,
  tallyWords,
} from '@/lib/view/compaction/compaction-runs'
import type { CompactionItem } from '@/lib/view/compaction/compactions'
import { formatCount, formatDuration, formatQuantity } from '@/lib/view/text/format'
import { CompactionBadges, CompactionRow } from './compaction-row'

/** Every compaction and reset, newest first; equal ones that follow each other are one row until it is opened. */
export function CompactionsTable({
  id,
  items,
  onUndo,
  onOpen,
}: {
  id: string
  items: readonly CompactionItem[]
  onUndo: (entry: AuditEntryView) => void
  onOpen: (seq: number) => void
}) {
  const [shown, setShown] = useState<ReadonlySet<number>>(new Set())
  const row = (item: CompactionItem) => (
    <CompactionRow key={item.seq} id={id} item={item} total={items.length} onUndo={onUndo} onOpen={onOpen} />
  )
  // A run is known by its oldest compaction, which stays in it when a new one comes.
  const toggle = (from: number) =>
    setShown((before) => {
      const after = new Set(before)
      if (!after.delete(from)) after.add(from)
      return after
    })
  return (
    <Card flush title="Compactions and resets" note={tallyWords(items)}>
      <Table caption="Compactions, newest first">
        <thead>
          <tr>
            <Th>Number</Th>
            <Th>When and why</Th>
            <Th numeric className="max-md:hidden">
              Prompt before → after
            </Th>
            <Th numeric className="max-md:hidden">
              Entries out
            </Th>
            <Th numeric className="max-md:hidden">
              Stayed
            </Th>
            <Th className="max-md:hidden">In Context</Th>
            <Th>
              <span className="sr-only">Summary and losses</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {compactionRows(items).map((one) => {
            if (one.kind === 'one') return row(one.item)
            const open = shown.has(one.numbers.from)
            return (
              <Fragment key={`run ${one.numbers.from}`}>
                <RunRow run={one} open={open} onToggle={() => toggle(one.numbers.from)} />
                {open && one.items.map(row)}
              </Fragment>
            )
          })}
        </tbody>
      </Table>
    </Card>
  )
}

function RunRow({
  run,
  open,
  onToggle,
}: {
  run: Extract<CompactionListRow, { kind: 'run' }>
  open: boolean
  onToggle: () => void
}) {
  const { items, numbers, times, midTask } = run
  const [newest] = items
  const many = formatQuantity(items.length, newest.kind === 'reset' ? 'reset' : 'compaction')
  return (
    <Tr className="align-top">
      <Th scope="row" className="tnum whitespace-nowrap">
        {spanWords(numbers)}
      </Th>
      <Td>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium">{`${many}, all alike`}</span>
          {times !== null && (
            <span className="text-muted">
              <Moment at={times.to} className="whitespace-nowrap" />
              {times.to > times.from && `, over ${formatDuration(times.to - times.from)}`}
            </span>
          )}
          <CompactionBadges item={{ ...newest, midTask: false }} />
          {midTask > 0 && <Badge tone="attention">{`${formatCount(midTask)} mid-task`}</Badge>}
        </span>
        <span className="tnum md:hidden">
          <RunPrompts run={run} />
        </span>
        {newest.oddities.map(({ word, about }) => (
          <p key={word} className="mt-1 max-w-[70ch] text-label text-attention">
            {about}
          </p>
        ))}
      </Td>
      <Td numeric className="max-md:hidden">
        <RunPrompts run={run} />
      </Td>
      <Td numeric className="max-md:hidden">
        {spanWords(run.summarised)}
      </Td>
      <Td numeric className="max-md:hidden">
        {newest.provider === null ? spanWords(run.kept) : <span className="text-muted">?</span>}
      </Td>
      <Td className="max-md:hidden" />
      <Td className="text-right">
        <Button
          aria-expanded={open}
          aria-label={`${open ? 'Fold' : 'Show each of'} ${many}`}
          onClick={onToggle}
        >
          {open ? 'Fold' : 'Show each'}
        </Button>
      </Td>
    </Tr>
  )
}

/** The range of the prompts around them, and of what they freed. */
function RunPrompts({ run: { before, after, freed } }: { run: Extract<CompactionListRow, { kind: 'run' }> }) {
  return (
    <>
      <span className="whitespace-nowrap">{`${before === null ? '?' : spanWords(before)} → `}</span>
      <span className="whitespace-nowrap">{after === null ? '?' : spanWords(after)}</span>
      {freed !== null && (
        <span className={`block whitespace-nowrap ${freed.from < 0.1 ? 'text-attention' : 'text-muted'}`}>
          {freedSpanWords(freed)}
        </span>
      )}
    </>
  )
}
