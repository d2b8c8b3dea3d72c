'use client'

import { useState } from 'react'
import { HostileText } from '@/components/entry/hostile-text'
import { Badge } from '@/components/ui/badge'
import { filterLosses } from '@/lib/view/compaction/filter-losses'
import type { LossesView, LossGroup } from '@/lib/view/compaction/losses'
import { formatCount, formatPercent, formatQuantity } from '@/lib/view/text/format'

/** Names of one class that are listed at once. */
const SHOWN = 40
/** So many names are read faster with a filter. */
const MANY = 12

/**
 * What is lost by name: decisions and requests first, then names by class, errors, paths and numbers before others; what
 * the model wrote again later is first in its class.
 */
export function LossesList({
  losses,
  later,
  onOpen,
}: {
  losses: LossesView
  /** What came after the compaction was examined. */
  later: boolean
  /** Opens the source of an entry. */
  onOpen: (seq: number) => void
}) {
  const [filter, setFilter] = useState('')
  const { before, lost, back, moreSentences } = losses
  if (before === 0) return <p className="text-table text-muted">Nothing that has a name was there.</p>
  const { groups, sentences } = filterLosses(losses, filter)
  const filtered = filter.trim() !== ''
  return (
    <div className="flex flex-col gap-2">
      <p className="tnum max-w-[80ch] text-table">
        {lost === 0
          ? `None of ${formatQuantity(before, 'name')} is lost: each is in the summary or in what stays`
          : `${formatCount(lost)} of ${formatQuantity(before, 'name')} (${formatPercent(lost / before)}) ${lost === 1 ? 'is' : 'are'} nowhere in the context any more`}
        {later &&
          lost > 0 &&
          `; ${back === 0 ? 'none of them' : formatCount(back)} came back in what the model wrote later`}
        .
      </p>
      {lost > MANY && (
        <input
          type="search"
          value={filter}
          maxLength={200}
          onChange={(event) => setFilter(event.target.value)}
          placeholder="Filter what was lost"
          aria-label="Filter what was lost"
          autoComplete="off"
          spellCheck={false}
          className="h-8 w-full max-w-72 rounded-md border border-line-strong bg-surface px-2.5 text-table placeholder:text-muted"
        />
      )}
      {filtered && groups.length + sentences.length === 0 && (
        <p className="text-table text-muted" role="status">
          Nothing that was lost holds this text.
        </p>
      )}
      {sentences.length > 0 && (
        <Sentences sentences={sentences} more={filtered ? 0 : moreSentences} onOpen={onOpen} />
      )}
      {groups.map((group) => (
        <Group key={group.kind} group={group} filtered={filtered} onOpen={onOpen} />
      ))}
    </div>
  )
}

function Sentences({
  sentences,
  more,
  onOpen,
}: {
  sentences: LossesView['sentences']
  more: number
  onOpen: (seq: number) => void
}) {
  return (
    <details className="text-table" open>
      <summary className="cursor-pointer">
        Decisions and open requests
        <span className="tnum ml-2 text-muted">{formatCount(sentences.length + more)}</span>
      </summary>
      <ul className="mt-1 flex flex-col gap-1">
        {sentences.map(({ kind, text, at }) => (
          <li key={`${at.line} ${text}`} className="flex items-start gap-2">
            <Badge>{kind === 'ask' ? 'request' : kind}</Badge>
            <span className="isolate-text min-w-0 flex-1 break-words">
              <HostileText text={text} />
            </span>
            <Line at={at} onOpen={onOpen} />
          </li>
        ))}
        {more > 0 && <li className="text-muted">{`and ${formatCount(more)} more`}</li>}
      </ul>
    </details>
  )
}

function Group({
  group,
  filtered,
  onOpen,
}: {
  group: LossGroup
  filtered: boolean
  onOpen: (seq: number) => void
}) {
  const { kind, label, before, lost, back } = group
  const names = group.names.slice(0, SHOWN)
  const rest = filtered ? group.names.length - names.length : lost - names.length
  const open = filtered || kind === 'error' || (back > 0 && kind !== 'ordinary')
  return (
    <details key={String(filtered)} className="text-table" open={open}>
      <summary className="cursor-pointer">
        {label}
        <span className="tnum ml-2 text-muted">
          {kind === 'ordinary' ? formatCount(lost) : `${formatCount(lost)} of ${formatCount(before)}`}
        </span>
        {back > 0 && <span className="tnum ml-2 text-attention">{`${formatCount(back)} came back`}</span>}
      </summary>
      <ul className="mt-1 flex flex-col gap-0.5">
        {names.map(({ text, times, at, cameBack }) => (
          <li key={text} className="flex flex-wrap items-baseline gap-x-2">
            <code className="isolate-text min-w-0 text-label break-all">
              <HostileText text={text} />
            </code>
            <span className="tnum text-label text-muted">
              {times > 1 ? `in ${formatCount(times)} entries` : ''}
            </span>
            <span className="ml-auto flex items-baseline gap-2">
              <Line at={at} onOpen={onOpen} />
              {cameBack !== null && (
                <span className="text-label text-attention">
                  came back, <Line at={cameBack} onOpen={onOpen} />
                </span>
              )}
            </span>
          </li>
        ))}
        {rest > 0 && <li className="text-muted">{`and ${formatCount(rest)} more`}</li>}
      </ul>
    </details>
  )
}

function Line({
  at,
  onOpen,
}: {
  at: { readonly line: number; readonly seq: number | null }
  onOpen: (seq: number) => void
}) {
  const { line, seq } = at
  const words = `line ${formatCount(line)}`
  if (seq === null) return <span className="tnum text-label text-muted">{words}</span>
  return (
    <button
      type="button"
      onClick={() => onOpen(seq)}
      className="tnum text-label whitespace-nowrap text-accent hover:underline"
    >
      {words}
    </button>
  )
}
