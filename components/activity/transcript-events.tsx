'use client'

import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { useAsOf } from '@/components/live/use-as-of'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { classes } from '@/components/ui/classes'
import { ErrorState } from '@/components/ui/error-state'
import { FilterSelect } from '@/components/ui/filter-inputs'
import { PageLink } from '@/components/ui/page-link'
import { replaceAddress } from '@/components/ui/replace-address'
import { Moment } from '@/components/ui/time'
import {
  EVENT_KINDS,
  EVENT_PAGE_ROWS,
  type EventKind,
  type EventParams,
  type EventsView,
  eventQueryText,
  parseEventParams,
  type TranscriptEventRow,
} from '@/lib/view/activity/transcript-events'
import { formatQuantity } from '@/lib/view/text/format'
import { transcriptEventsQuery } from './transcript-events-query'

const KINDS = (Object.keys(EVENT_KINDS) as EventKind[]).map((value) => ({ value, label: EVENT_KINDS[value] }))

/** Compactions, resets and failed calls as the transcripts of all runtimes record them. */
export function TranscriptEvents({
  initial,
  asOf,
}: {
  initial: { readonly params: EventParams; readonly view: EventsView }
  asOf: number | null
}) {
  const search = useSearchParams()
  const params = parseEventParams((name) => search.get(name))
  const isPainted = eventQueryText(params) === eventQueryText(initial.params)
  const query = useQuery({
    ...transcriptEventsQuery(params),
    initialData: isPainted ? initial.view : undefined,
  })
  useAsOf(['activity', 'transcripts'], asOf)
  const { rows, total } = query.data ?? initial.view
  const pages = Math.ceil(total / EVENT_PAGE_ROWS)

  const choose = (change: Partial<EventParams>) => {
    const next = eventQueryText({ ...params, page: 1, ...change })
    replaceAddress(`/activity/transcripts${next}`)
  }

  return (
    <>
      {query.isError && <ErrorState title="The list could not be read again" detail={query.error.message} />}
      <Card
        title="What transcripts record"
        note={`${formatQuantity(total, 'event')}, newest first: compactions, resets and failed calls of all runtimes; a copy of a transcript counts once`}
        flush
        aside={
          <FilterSelect
            label="Kind"
            value={params.kind}
            options={KINDS}
            onChange={(kind) => choose({ kind: KINDS.find(({ value }) => value === kind)?.value ?? '' })}
          />
        }
      >
        {rows.length === 0 ? (
          <p className="px-4 py-6 text-muted">No transcript records such an event.</p>
        ) : (
          <ol aria-label="Events of transcripts" className="text-table">
            {rows.map((row) => (
              <Event key={row.key} row={row} />
            ))}
          </ol>
        )}
        {pages > 1 && (
          <nav aria-label="Pages" className="flex items-center gap-2 border-t border-line px-4 py-2">
            <Button disabled={params.page === 1} onClick={() => choose({ page: params.page - 1 })}>
              Newer
            </Button>
            <p className="tnum text-label text-muted">{`Page ${params.page} of ${pages}`}</p>
            <Button disabled={params.page >= pages} onClick={() => choose({ page: params.page + 1 })}>
              Older
            </Button>
          </nav>
        )}
      </Card>
    </>
  )
}

function Event({ row }: { row: TranscriptEventRow }) {
  return (
    <li className="border-t border-line">
      <PageLink
        href={row.href}
        className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-4 py-1.5 hover:bg-inset"
      >
        <span className="w-24 shrink-0 text-muted">
          <Moment at={row.at} />
        </span>
        <span
          className={classes(
            // A separate line on narrow screens, as the title has.
            'isolate-text max-md:order-1 max-md:w-full md:w-64 md:shrink-0',
            row.kind === 'failure' && 'text-danger',
          )}
        >
          {row.text}
        </span>
        <span className="isolate-text min-w-0 truncate max-md:order-2 max-md:w-full max-md:text-muted md:flex-1">
          {row.title}
        </span>
        <span className="isolate-text text-label text-muted max-md:ml-auto">{row.place}</span>
      </PageLink>
    </li>
  )
}
