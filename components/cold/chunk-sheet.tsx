'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { HostileText } from '@/components/entry/hostile-text'
import { Badge } from '@/components/ui/badge'
import { buttonClasses } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { ErrorState } from '@/components/ui/error-state'
import { PageLink } from '@/components/ui/page-link'
import { LoadingNote, Skeleton } from '@/components/ui/skeleton'
import { scrollRegion } from '@/components/ui/table'
import { Moment } from '@/components/ui/time'
import type { ColdDetail, ColdName } from '@/lib/view/cold/cold-storage'
import { formatCount } from '@/lib/view/text/format'
import { visibleLine } from '@/lib/view/text/visible-text'
import type { ColdActions } from './cold-actions'
import { coldChunkQuery } from './cold-query'
import { KeepLonger } from './keep-longer'
import { RecoverPanel } from './recover-panel'
import { SaveChunk } from './save-chunk'

/** One chunk: what it says, where it would go back, and what can be done with it. */
export function ChunkSheet({
  name,
  query,
  actions,
  onClose,
}: {
  name: ColdName
  /** What was searched for when it was found. */
  query: string
  actions: ColdActions
  onClose: () => void
}) {
  const [target, setTarget] = useState<string | null>(null)
  const [place, setPlace] = useState<'neighbourhood' | 'end'>('neighbourhood')
  const { data, error, isPlaceholderData } = useQuery(coldChunkQuery(name, target, place))
  return (
    <Dialog open onClose={onClose} title="Dropped chunk" shape="wide">
      {error !== null && <ErrorState title="The chunk cannot be shown" detail={error.message} />}
      {data === undefined && error === null && (
        <>
          <LoadingNote what="the chunk" />
          <Skeleton className="h-80 w-full" />
        </>
      )}
      {data !== undefined && error === null && (
        <div className="grid gap-4 lg:grid-cols-2" aria-busy={isPlaceholderData}>
          <div className="flex min-w-0 flex-col gap-3">
            <Facts detail={data} name={name} />
            <pre
              {...scrollRegion('Text of the chunk')}
              className="max-h-96 overflow-auto rounded-md border border-line bg-inset p-3 text-label whitespace-pre-wrap [overflow-wrap:anywhere]"
            >
              <HostileText text={data.text} />
            </pre>
            {data.more > 0 && (
              <p className="text-label text-muted">{`${formatCount(data.more)} more characters; save it to read them.`}</p>
            )}
            <div className="flex flex-wrap items-center gap-2">
              <SaveChunk name={name} query={query} actions={actions} />
              <PageLink
                href={`/activity/chunk?${new URLSearchParams({ id: name.chunkId, of: name.sessionId })}`}
                className={buttonClasses('plain')}
              >
                Timeline
              </PageLink>
            </div>
            <KeepLonger name={name} actions={actions} />
          </div>
          <RecoverPanel
            detail={data}
            name={name}
            query={query}
            place={place}
            actions={actions}
            onPlace={setPlace}
            onTarget={setTarget}
          />
        </div>
      )}
    </Dialog>
  )
}

function Facts({ detail: { row, prompt, file }, name }: { detail: ColdDetail; name: ColdName }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-table">
      <dt className="text-muted">Session</dt>
      <dd className="isolate-text">
        {row.sessionHref === null ? (
          row.shownSession
        ) : (
          <PageLink href={row.sessionHref} className="text-accent hover:underline">
            {row.shownSession}
          </PageLink>
        )}
      </dd>
      <dt className="text-muted">Dropped</dt>
      <dd>
        <Moment at={name.at} /> · {row.reason ?? 'no reason given'} ·{' '}
        <span className="tnum">{row.score === null ? 'no score' : `score ${row.score.toFixed(3)}`}</span>
      </dd>
      {prompt !== null && (
        <>
          <dt className="text-muted">Prompt at the time</dt>
          <dd className="isolate-text">{prompt}</dd>
        </>
      )}
      <dt className="text-muted">Size</dt>
      <dd className="tnum">{row.tokens === null ? '? tokens' : `${formatCount(row.tokens)} tokens`}</dd>
      <dt className="text-muted">Expires</dt>
      <dd>
        <Moment at={row.until} missing="at an unknown time" />{' '}
        {row.expired && <Badge tone="attention">not offered any more</Badge>}
      </dd>
      <dt className="text-muted">File</dt>
      <dd>
        <code className="isolate-text text-label">{visibleLine(file)}</code>
      </dd>
    </dl>
  )
}
