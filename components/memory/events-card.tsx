import { HostileText } from '@/components/entry/hostile-text'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Moment } from '@/components/ui/time'
import { EVENT_WORDS, type EventRow } from '@/lib/view/memory/memory'
import { formatCount } from '@/lib/view/text/format'

/** What memories did, newest first: above all what was recalled, when, and for which prompt. */
export function EventsCard({ events, hasMore }: { events: readonly EventRow[]; hasMore: boolean }) {
  return (
    <Card
      title="What was recalled, and when"
      note={`Recalls, requests to save, checkpoints and completed tasks; ${hasMore ? `the newest ${formatCount(events.length)}, the others are in events.jsonl of the memory folder` : 'newest first'}`}
      flush
    >
      {events.length === 0 ? (
        <div className="px-4">
          <EmptyState title="Nothing was recalled yet">
            <p>
              With <code>semantic.enabled</code> in its policy, an agent that uses the library gets what is
              like its prompt from memory files, cold storage and old sessions. Each time is listed here, with
              the score of each piece.
            </p>
          </EmptyState>
        </div>
      ) : (
        <ul aria-label="Events of memories">
          {events.map((event) => (
            <li key={event.key} className="border-b border-line px-4 py-2 last:border-0">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-label text-muted">
                <Badge tone={event.kind === 'recall' ? 'accent' : 'neutral'}>{EVENT_WORDS[event.kind]}</Badge>
                <Moment at={event.at} />
                <span className="isolate-text font-mono">
                  <HostileText text={event.session} />
                </span>
              </p>
              <p className="isolate-text max-w-[80ch] text-table">
                <HostileText text={event.what} />
              </p>
              {event.placed.map((piece) => (
                <details key={piece.key} className="text-table">
                  <summary className="cursor-pointer">
                    <span className="tnum">{piece.score}</span>{' '}
                    <span className="isolate-text font-mono">
                      <HostileText text={piece.source} />
                    </span>
                    {piece.cut && <span className="text-muted"> (cut to its room)</span>}
                  </summary>
                  <p className="isolate-text max-w-[80ch] border-l-2 border-line pl-3 whitespace-pre-wrap text-muted">
                    <HostileText text={piece.text} />
                  </p>
                </details>
              ))}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
