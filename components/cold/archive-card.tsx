import { Snippet } from '@/components/session-list/snippet'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { PageLink } from '@/components/ui/page-link'
import { Moment } from '@/components/ui/time'
import type { ColdView } from '@/lib/view/cold/cold-storage'
import { formatQuantity } from '@/lib/view/text/format'

/** What was found in transcripts that runtimes have archived; those are only read. */
export function ArchiveCard({ archives }: { archives: NonNullable<ColdView['archives']> }) {
  const { rows, transcripts } = archives
  return (
    <Card
      title="In transcripts that were archived or reset"
      note={`${formatQuantity(transcripts, 'transcript')} that were reset, deleted or archived by their runtime; read only`}
      flush
    >
      {rows.length === 0 ? (
        <p className="px-4 py-3 text-table text-muted">Nothing there holds all of these words.</p>
      ) : (
        <ol aria-label="Archived entries" className="text-table">
          {rows.map(({ key, title, state, href, at, snippet }) => (
            <li key={key} className="flex flex-col gap-1 border-t border-line px-4 py-2.5">
              <PageLink href={href} className="isolate-text hover:text-accent">
                <Snippet parts={snippet} />
              </PageLink>
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-label text-muted">
                <Badge>{state}</Badge>
                <span className="isolate-text max-w-80 truncate">{title}</span>
                <Moment at={at} missing="time unknown" />
              </p>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}
