'use client'

import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button'
import { classes } from '@/components/ui/classes'
import { PageLink } from '@/components/ui/page-link'
import { Skeleton } from '@/components/ui/skeleton'
import { clockSeconds } from '@/lib/view/charts/time-axis'
import { type EntryView, LONGEST_LINE_BYTES } from '@/lib/view/session/entry-detail'
import { entryKind } from '@/lib/view/session/entry-kind'
import { formatBytes, formatCount } from '@/lib/view/text/format'
import { visibleLine } from '@/lib/view/text/visible-text'
import { CopyButton } from './copy-button'
import { EntryBlocksView } from './entry-blocks-view'
import { HostileText } from './hostile-text'
import { RawEntryLine } from './raw-line'
import { RevealButton, RevealScope, useReveal } from './reveal'

/** Entries that only note something: one line is enough for them. */
const NOTES = new Set([
  'session',
  'model_change',
  'thinking_level_change',
  'session_info',
  'label',
  'leaf',
  'custom',
])

/** What is on no branch. */
const OFF_BRANCH = new Set(['session', 'unreadable', 'leaf'])

const EDGES: { readonly [role: string]: string } = {
  user: 'border-l-(--cat-user)',
  assistant: 'border-l-(--cat-assistant)',
  toolResult: 'border-l-(--cat-tool-result)',
  bashExecution: 'border-l-(--cat-tool-result)',
  compactionSummary: 'border-l-(--cat-summary)',
  branchSummary: 'border-l-(--cat-summary)',
}

/** One entry of the transcript. Everything in it is text, whatever it looks like. */
export function EntryRow({
  id,
  entry: given,
  active,
  offsetMinutes,
  onActivate,
}: {
  id: string
  entry: EntryView
  /** The row that the keys are at. */
  active: boolean
  offsetMinutes: number
  onActivate: () => void
}) {
  const [raw, setRaw] = useState(false)
  const reveal = useReveal(id, given.seq)
  const revealed = reveal.detail !== null
  const entry = reveal.detail?.entry ?? given
  // How many are in a line that is too long for the list is not known before.
  const secrets = entry.secrets > 0 || (raw && entry.blocks === null)
  const isNote = NOTES.has(entry.type)
  const isBoundary = entry.type === 'compaction' || entry.type === 'reset'
  const isResult = entry.role === 'toolResult'
  const isAside = !entry.active && !OFF_BRANCH.has(entry.type)
  return (
    <article
      aria-label={`${entryKind(entry)}, line ${entry.line}`}
      aria-current={active || undefined}
      data-seq={entry.seq}
      data-type={entry.type}
      onFocus={onActivate}
      className={classes(
        'group rounded-md border border-l-4 border-line bg-surface px-3 py-2',
        EDGES[entry.role ?? ''] ?? 'border-l-line-strong',
        isResult && 'ml-4 md:ml-8',
        isBoundary && 'border-y-text',
        isAside && 'border-dashed',
        active && 'outline-2 outline-accent',
      )}
    >
      {entry.forks && (
        <p className="mb-1 text-label text-accent">
          ↳ a branch begins here{entry.parent === null ? '' : `, after entry ${formatCount(entry.parent)}`}
        </p>
      )}
      <div className="flex min-h-6 flex-wrap items-center gap-x-3 text-label text-muted">
        <span className="font-medium text-text">{entryKind(entry)}</span>
        {entry.beginsTurn && <span>{`turn ${formatCount(entry.turn)}`}</span>}
        {entry.at !== null && <span className="tnum">{clockSeconds(entry.at, offsetMinutes)}</span>}
        {entry.call !== null && (
          <PageLink href={`/sessions/${id}?call=${entry.call}`} className="text-accent hover:underline">
            {`call ${formatCount(entry.call)}`}
          </PageLink>
        )}
        {entry.isError && <span className="text-danger">error</span>}
        {isAside && <span className="text-attention">other branch</span>}
        {entry.labels.map((label) => (
          <span key={label} className="isolate-text rounded-sm bg-accent-soft px-1.5 text-accent">
            {visibleLine(label)}
          </span>
        ))}
        {isNote && <Note entry={entry} />}
        <span className="ml-auto flex flex-wrap items-center justify-end gap-1">
          <span
            className="tnum whitespace-nowrap"
            title={formatBytes(entry.bytes)}
          >{`line ${formatCount(entry.line)}`}</span>
          <Button
            kind="quiet"
            data-open
            aria-pressed={raw}
            onClick={() => setRaw(!raw)}
            className="h-6 px-1.5 text-label"
          >
            Raw
          </Button>
          {secrets && <RevealButton quiet reveal={reveal} secrets={entry.secrets} />}
          <RevealScope revealed={revealed}>
            <CopyButton quiet label="Copy" id={id} seq={entry.seq} />
          </RevealScope>
        </span>
      </div>
      {entry.problem !== null && (
        <p className="mt-1 text-attention">
          {entry.type === 'unreadable' ? `Line ${entry.line} cannot be read: ` : ''}
          {visibleLine(entry.problem)}
        </p>
      )}
      <RevealScope revealed={revealed}>
        {raw ? <RawEntryLine id={id} seq={entry.seq} /> : <Body id={id} entry={entry} note={isNote} />}
      </RevealScope>
    </article>
  )
}

/** What a note says, on its line. */
function Note({ entry }: { entry: EntryView }) {
  const text = entry.preview ?? ''
  return (
    <span className="isolate-text min-w-0 text-text">
      <HostileText text={text} />
      {entry.target !== null && <span className="text-muted">{` → entry ${formatCount(entry.target)}`}</span>}
    </span>
  )
}

function Body({ id, entry, note }: { id: string; entry: EntryView; note: boolean }): ReactNode {
  if (entry.sourceProblem !== null) {
    return (
      <p className="mt-1 text-attention">
        {visibleLine(entry.sourceProblem)}
        {entry.preview !== null && (
          <span className="block text-text">
            <HostileText text={entry.preview} />
          </span>
        )}
      </p>
    )
  }
  if (entry.blocks === null) {
    return (
      <div className="mt-1">
        <p className="isolate-text">
          <HostileText text={entry.preview ?? ''} />
        </p>
        <p className="text-label text-muted">
          {entry.type === 'unreadable' && entry.bytes > LONGEST_LINE_BYTES
            ? `A line of ${formatBytes(entry.bytes)} is not read. Raw says where in the file it is.`
            : `A line of ${formatBytes(entry.bytes)}: only its beginning is shown. Raw shows it piece by piece.`}
        </p>
      </div>
    )
  }
  if (entry.blocks.length === 0) return null
  if (note) {
    return (
      <details className="mt-1">
        <summary className="text-label text-muted">Details</summary>
        <EntryBlocksView id={id} seq={entry.seq} blocks={entry.blocks} />
      </details>
    )
  }
  return (
    <div className="mt-1">
      <EntryBlocksView id={id} seq={entry.seq} blocks={entry.blocks} />
    </div>
  )
}

/** A row that is on its way. */
export function EntryRowSkeleton() {
  return (
    <div className="rounded-md border border-line bg-surface px-3 py-3">
      <Skeleton className="mb-2 h-3 w-40" />
      <Skeleton className="h-3 w-3/4" />
    </div>
  )
}
