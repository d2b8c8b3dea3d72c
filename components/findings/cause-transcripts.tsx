import { Card } from '@/components/ui/card'
import { PageLink } from '@/components/ui/page-link'
import { Moment } from '@/components/ui/time'
import type { FindingsView } from '@/lib/view/findings/findings-page'
import { formatCount, formatQuantity } from '@/lib/view/text/format'

/** The transcripts of a store that a finding is about, each with its moment, the first ones of all. */
export function CauseTranscripts({
  transcripts: { total, rows },
}: {
  transcripts: NonNullable<FindingsView['transcripts']>
}) {
  return (
    <Card
      flush
      title="Transcripts that it is about"
      note={
        total > rows.length
          ? `the first ${formatCount(rows.length)} of ${formatQuantity(total, 'transcript')}`
          : formatQuantity(total, 'transcript')
      }
    >
      <ul aria-label="Transcripts that it is about">
        {rows.map(({ href, title, place, at }) => (
          <li
            key={href}
            className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-t border-line px-4 py-2 text-table"
          >
            <PageLink
              href={href}
              className="isolate-text min-w-0 font-medium break-words text-accent hover:underline"
            >
              {title}
            </PageLink>
            {place !== '' && <span className="text-muted">{place}</span>}
            {at !== null && (
              <Moment at={at} className="tnum ml-auto text-label whitespace-nowrap text-muted" />
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
