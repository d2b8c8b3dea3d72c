import { HostileText } from '@/components/entry/hostile-text'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Moment } from '@/components/ui/time'
import type { ConversationRow } from '@/lib/view/memory/memory'
import { formatCount, formatQuantity } from '@/lib/view/text/format'

/** Flushes and checkpoints: what agents were asked to save, and where their conversations were. */
export function ConversationsCard({
  conversations,
  total,
}: {
  conversations: readonly ConversationRow[]
  /** Those that are not shown included. */
  total: number
}) {
  const which =
    total > conversations.length
      ? `The present cycle of the ${formatCount(conversations.length)} conversations that were written last, of ${formatCount(total)}`
      : 'The present cycle of each conversation'
  return (
    <Card title="Flushes and checkpoints" note={which} flush>
      {conversations.length === 0 ? (
        <div className="px-4">
          <EmptyState title="No conversation is remembered">
            <p>
              Agents that keep their memory in a folder are asked at 50, 75 and 90 % of the window to save
              what matters, and leave checkpoints at 25, 50 and 75 %.
            </p>
          </EmptyState>
        </div>
      ) : (
        <ul aria-label="Conversations">
          {conversations.map((row) => (
            <li key={row.session} className="border-b border-line px-4 py-2 last:border-0">
              <p className="flex flex-wrap items-center gap-2">
                <span className="isolate-text font-mono text-table">
                  <HostileText text={row.session} />
                </span>
                {row.asked === null ? (
                  <Badge>not asked to save</Badge>
                ) : (
                  <Badge tone={row.saved ? 'ok' : 'attention'}>
                    {`asked at ${Math.round(row.asked * 100)} %, ${row.saved ? 'saved' : 'not saved yet'}`}
                  </Badge>
                )}
                <span className="tnum text-label text-muted">{sinceText(row)}</span>
              </p>
              {row.checkpoints.map((checkpoint) => (
                <details key={checkpoint.id} className="mt-1 text-table">
                  <summary className="cursor-pointer">
                    Checkpoint <Moment at={checkpoint.at} />
                    <span className="tnum text-muted">
                      {`: ${formatCount(checkpoint.tokens)}\u202f≈ tokens in place of ${formatCount(checkpoint.covered)}\u202f≈`}
                    </span>
                  </summary>
                  <p className="isolate-text max-w-[80ch] border-l-2 border-line pl-3 whitespace-pre-wrap text-muted">
                    <HostileText text={checkpoint.summary} />
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

/** Turns are counted from the last compaction on. */
function sinceText({ turns, compactions }: ConversationRow): string {
  if (turns === null || compactions === null) return 'turns unknown'
  const since = compactions === 0 ? 'its beginning' : 'its last compaction'
  const of = compactions > 1 ? ` of ${formatCount(compactions)}` : ''
  return `${formatQuantity(turns, 'turn')} since ${since}${of}`
}
