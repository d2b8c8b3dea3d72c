'use client'

import { queryOptions, useQuery } from '@tanstack/react-query'
import { fetchJson } from '@/components/live/read-json'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { ErrorState } from '@/components/ui/error-state'
import { PageLink } from '@/components/ui/page-link'
import { LoadingNote, Skeleton } from '@/components/ui/skeleton'
import { fitWords } from '@/lib/view/policy/fit-words'
import type { FitOther, PolicyFitView } from '@/lib/view/policy/policy-fit-view'
import { formatCount, formatQuantity } from '@/lib/view/text/format'

const fitQuery = queryOptions({
  queryKey: ['policy-fit'] as const,
  queryFn: ({ signal }) => fetchJson<PolicyFitView>('/api/policies/fit', signal),
})

/**
 * How well what the runtimes do explains the compactions that were recorded: for one session where one is chosen, else
 * per store. Each that it does not explain is there with its reason.
 */
export function FitCard({ session }: { session: string | null }) {
  const { data, error } = useQuery(fitQuery)
  if (error !== null) return <ErrorState title="The fit could not be worked out" detail={error.message} />
  if (data === undefined)
    return (
      <Card title="Does it fit?">
        <LoadingNote what="recorded compactions" />
        <Skeleton className="h-24 w-full" />
      </Card>
    )
  const others = data.others.filter((one) => session === null || one.session === session)
  const more = session === null ? data.othersInAll - others.length : 0
  return (
    <Card
      title="Does it fit?"
      note="Recorded compactions against the line of their runtime, in the window of that time"
    >
      <div className="flex flex-col gap-3" data-testid="policy-fit">
        {session === null ? <Stores view={data} /> : <OneSession view={data} session={session} />}
        {others.length > 0 && (
          <ul aria-label="Compactions that are not explained" className="flex flex-col text-table">
            {others.map((one) => (
              <Other key={`${one.session} ${one.line}`} one={one} named={session === null} />
            ))}
          </ul>
        )}
        {more > 0 && (
          <p className="text-label text-muted">{`${formatQuantity(more, 'more', 'more')} are not listed.`}</p>
        )}
      </div>
    </Card>
  )
}

function Stores({ view }: { view: PolicyFitView }) {
  return (
    <ul aria-label="Fit per store" className="flex flex-col text-table">
      {view.stores.map(({ id, label, runtime, files, assumed, fit }) => (
        <li key={id} className="border-t border-line py-1.5 first:border-t-0">
          <p>
            <span className="isolate-text font-medium">{label}</span>
            <span className="isolate-text text-muted">{` · ${[runtime, ...files].join(', ')}`}</span>
          </p>
          <p className="tnum">{fitWords(fit)}</p>
          {assumed.map((reason) => (
            <p key={reason} className="isolate-text text-label text-muted">{`assumed: ${reason}`}</p>
          ))}
        </li>
      ))}
    </ul>
  )
}

function OneSession({ view, session }: { view: PolicyFitView; session: string }) {
  const found = view.sessions.find(({ id }) => id === session)
  return (
    <p className="tnum text-table">
      {found === undefined ? 'No compaction is recorded in this session.' : fitWords(found.fit)}
    </p>
  )
}

function Other({ one, named }: { one: FitOther; named: boolean }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-2 border-t border-line py-1.5">
      <Badge>{one.reason}</Badge>
      <PageLink
        href={`/sessions/${one.session}/compactions`}
        className="isolate-text min-w-0 text-accent underline underline-offset-2"
      >
        {`${named ? `${one.title}, ` : ''}after call ${formatCount(one.afterCall)}`}
      </PageLink>
      <span className="tnum min-w-0 text-muted">{one.counts ? one.why : `not compared: ${one.why}`}</span>
    </li>
  )
}
