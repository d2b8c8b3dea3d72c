import { Snippet } from '@/components/session-list/snippet'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Moment } from '@/components/ui/time'
import type { ColdName, ColdParams, ColdRow, ColdView } from '@/lib/view/cold/cold-storage'
import { formatCount } from '@/lib/view/text/format'

/** Chunks as a list: what each is about, why it went, and until when it can come back. */
export function ColdList({
  view,
  params,
  onOpen,
  onChoose,
}: {
  view: ColdView
  params: ColdParams
  onOpen: (name: ColdName) => void
  onChoose: (change: Partial<ColdParams>) => void
}) {
  if (view.rows.length === 0) return <p className="px-4 py-6 text-muted">No chunk fits what is looked for.</p>
  return (
    <>
      <ol aria-label="Dropped chunks" className="text-table">
        {view.rows.map((row) => (
          <li
            key={`${row.sessionId} ${row.chunkId} ${row.at}`}
            className="flex flex-col gap-1 border-t border-line px-4 py-2.5"
          >
            <button
              type="button"
              onClick={() => onOpen(row)}
              className="isolate-text text-left hover:text-accent"
            >
              {row.snippet.length === 0 ? <i>empty</i> : <Snippet parts={row.snippet} />}
            </button>
            <Facts row={row} onSession={() => onChoose({ session: row.sessionId })} />
          </li>
        ))}
      </ol>
      <Pages params={params} hasMore={view.hasMore} onChoose={onChoose} />
    </>
  )
}

function Facts({ row, onSession }: { row: ColdRow; onSession: () => void }) {
  const { tokens, score, reason, expired, until, at, shownSession, shownId } = row
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-label text-muted">
      <Badge>{reason ?? 'no reason given'}</Badge>
      <span className="tnum">{score === null ? 'no score' : `score ${score.toFixed(2)}`}</span>
      <span className="tnum">{tokens === null ? '? tokens' : `${formatCount(tokens)} tokens`}</span>
      <button type="button" onClick={onSession} className="isolate-text max-w-64 truncate hover:text-text">
        {shownSession}
      </button>
      <span>
        dropped <Moment at={at} />
      </span>
      {expired ? (
        <Badge tone="attention">
          expired <Moment at={until} />
        </Badge>
      ) : (
        <span>
          expires <Moment at={until} missing="at an unknown time" />
        </span>
      )}
      <code className="isolate-text truncate">{shownId}</code>
    </p>
  )
}

function Pages({
  params: { page },
  hasMore,
  onChoose,
}: {
  params: ColdParams
  hasMore: boolean
  onChoose: (change: Partial<ColdParams>) => void
}) {
  if (page === 1 && !hasMore) return null
  return (
    <nav aria-label="Pages" className="flex items-center gap-2 border-t border-line px-4 py-2">
      <Button disabled={page === 1} onClick={() => onChoose({ page: page - 1 })}>
        Back
      </Button>
      <p className="tnum text-label text-muted">{`Page ${page}`}</p>
      <Button disabled={!hasMore} onClick={() => onChoose({ page: page + 1 })}>
        More
      </Button>
    </nav>
  )
}
