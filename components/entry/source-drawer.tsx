'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, buttonClasses } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { ErrorState } from '@/components/ui/error-state'
import { PageLink } from '@/components/ui/page-link'
import { LoadingNote, Skeleton } from '@/components/ui/skeleton'
import { Moment } from '@/components/ui/time'
import type { EntryDetail } from '@/lib/view/session/entry-detail'
import { entryKind } from '@/lib/view/session/entry-kind'
import { formatBytes } from '@/lib/view/text/format'
import { visibleLine } from '@/lib/view/text/visible-text'
import { ExactCountButton } from '../session/exact-count'
import { entryQuery } from '../session/session-queries'
import { CopyButton } from './copy-button'
import { EntryBlocksView } from './entry-blocks-view'
import { LongText } from './long-text'
import { RevealButton, RevealScope, useReveal } from './reveal'

/** One entry beside the page: what it says, the raw line, and where it is. */
export function SourceDrawer({
  id,
  seq,
  call,
  onClose,
}: {
  id: string
  seq: number | null
  /** The call whose context has the entry. */
  call: number
  onClose: () => void
}) {
  const query = useQuery({ ...entryQuery(id, seq ?? 0, false), enabled: seq !== null })
  const entry = query.data?.entry
  return (
    <Dialog
      open={seq !== null}
      onClose={onClose}
      shape="sheet"
      title={entry ? `${entryKind(entry)}, line ${entry.line}` : 'Entry'}
    >
      {query.isError && <ErrorState title="This entry cannot be shown" detail={query.error.message} />}
      {query.isPending && (
        <>
          <LoadingNote what="the entry" />
          <Skeleton className="mb-2 h-4 w-2/3" />
          <Skeleton className="h-40 w-full" />
        </>
      )}
      {query.data && <Detail key={seq} id={id} call={call} detail={query.data} />}
    </Dialog>
  )
}

function Detail({ id, call, detail: given }: { id: string; call: number; detail: EntryDetail }) {
  const [raw, setRaw] = useState(false)
  const reveal = useReveal(id, given.entry.seq)
  const detail = reveal.detail ?? given
  const revealed = reveal.detail !== null
  const { entry, path } = detail
  const place = `${path}:${entry.line}`
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-label text-muted">
        <Moment at={entry.at} />
        <span>{formatBytes(entry.bytes)}</span>
        {entry.id !== null && <code className="isolate-text">{visibleLine(entry.id)}</code>}
        {!entry.active && <span className="text-attention">not on the active branch</span>}
      </div>
      <div className="flex items-start gap-2">
        <code className="isolate-text min-w-0 flex-1 text-label" data-testid="source-place">
          {visibleLine(place)}
        </code>
        <CopyButton label="Copy place" text={async () => place} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button aria-pressed={raw} onClick={() => setRaw(!raw)}>
          {raw ? 'Show parts' : 'Show raw'}
        </Button>
        {entry.secrets > 0 && <RevealButton reveal={reveal} secrets={entry.secrets} />}
        <RevealScope revealed={revealed}>
          <CopyButton label="Copy raw line" id={id} seq={entry.seq} />
        </RevealScope>
        <PageLink href={`/sessions/${id}/transcript?entry=${entry.seq}`} className={buttonClasses('plain')}>
          Show in transcript
        </PageLink>
      </div>
      <ExactCountButton key={call} id={id} call={call} seq={entry.seq} />
      {entry.problem !== null && <p className="text-attention">{visibleLine(entry.problem)}</p>}
      <RevealScope revealed={revealed}>
        {raw || entry.blocks === null || entry.blocks.length === 0 ? (
          <div className="rounded-md border border-line bg-inset p-3" data-testid="raw-line">
            <LongText id={id} seq={entry.seq} block={null} text={detail.raw} chars={detail.rawChars} mono />
          </div>
        ) : (
          <EntryBlocksView id={id} seq={entry.seq} blocks={entry.blocks} />
        )}
      </RevealScope>
    </div>
  )
}
