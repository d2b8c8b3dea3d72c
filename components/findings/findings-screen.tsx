'use client'

import { useQuery } from '@tanstack/react-query'
import { useAsOf } from '@/components/live/use-as-of'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { PageLink } from '@/components/ui/page-link'
import { SEVERITIES } from '@/lib/core/findings/finding'
import type { FindingsView } from '@/lib/view/findings/findings-page'
import {
  FINDING_SHOWS,
  type FindingsPlace,
  findingsQuery,
  SEVERITY_WORDS,
  SHOW_WORDS,
} from '@/lib/view/findings/findings-place'
import { formatCount, formatQuantity } from '@/lib/view/text/format'
import { CauseRow } from './cause-row'
import { type FindingActions, FindingActionsContext } from './finding-actions'
import { findingsListQuery } from './findings-list-query'

/** What is wrong or dear over all sessions, one row for each cause, the worst first. */
export function FindingsScreen({
  initial,
  asOf,
  actions,
}: {
  initial: FindingsView
  asOf: number | null
  actions: FindingActions
}) {
  const options = findingsListQuery(findingsQuery(initial.place))
  const query = useQuery({ ...options, initialData: initial })
  useAsOf(options.queryKey, asOf)
  const { place, causes, counts } = query.data
  const all = SEVERITIES.reduce((sum, severity) => sum + counts[severity], 0)
  return (
    <FindingActionsContext value={actions}>
      {query.isError && (
        <ErrorState title="The findings could not be read again" detail={query.error.message} />
      )}
      <nav aria-label="Severity" className="flex flex-wrap gap-x-1 gap-y-1 text-table">
        {[null, ...SEVERITIES].map((severity) => (
          <PageLink
            key={severity ?? 'all'}
            href={`/findings${findingsQuery({ ...place, severity })}`}
            aria-current={place.severity === severity ? 'true' : undefined}
            title={severity === null ? undefined : SEVERITY_WORDS[severity].about}
            className="rounded-md border border-line bg-surface px-3 py-1 hover:bg-inset aria-[current=true]:border-line-strong aria-[current=true]:font-medium"
          >
            {severity === null ? 'All' : SEVERITY_WORDS[severity].label}
            <span className="tnum ml-2 text-muted">
              {formatCount(severity === null ? all : counts[severity])}
            </span>
          </PageLink>
        ))}
      </nav>
      <nav aria-label="Which" className="flex flex-wrap gap-x-1 gap-y-1 text-table">
        {FINDING_SHOWS.map((show) => (
          <PageLink
            key={show}
            href={`/findings${findingsQuery({ ...place, show })}`}
            aria-current={place.show === show ? 'true' : undefined}
            className="rounded-md border border-line bg-surface px-3 py-1 hover:bg-inset aria-[current=true]:border-line-strong aria-[current=true]:font-medium"
          >
            {SHOW_WORDS[show]}
          </PageLink>
        ))}
      </nav>
      <Card
        flush
        title="What is wrong, and what it costs"
        note={`${formatQuantity(causes.length, 'cause')}, the worst first; each with its dearest session. Costs are of the sessions as they went; they overlap and are not added up.`}
      >
        {causes.length === 0 ? (
          <div className="px-4 pb-3">
            <NothingFound place={place} />
          </div>
        ) : (
          <ul aria-label="Findings">
            {causes.map((item) => (
              <CauseRow key={item.cause} item={item} />
            ))}
          </ul>
        )}
      </Card>
    </FindingActionsContext>
  )
}

function NothingFound({ place: { severity, show } }: { place: FindingsPlace }) {
  const none = { open: 'Nothing is wrong', muted: 'Nothing is muted', gone: 'Nothing has gone yet' }[show]
  return (
    <EmptyState title={severity === null ? none : 'None of this severity'}>
      <p>
        Each session is examined as it is read. <PageLink href="/help#findings">What is looked for</PageLink>{' '}
        is in the help.
      </p>
    </EmptyState>
  )
}
