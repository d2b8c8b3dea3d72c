'use client'

import { useQuery } from '@tanstack/react-query'
import { useAsOf } from '@/components/live/use-as-of'
import { StoreFaults } from '@/components/stores/store-faults'
import { buttonClasses } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { PlimsollMark } from '@/components/ui/mark'
import { PageLink } from '@/components/ui/page-link'
import { SEVERITIES } from '@/lib/core/findings/finding'
import type { FindingsView } from '@/lib/view/findings/findings-page'
import { FINDING_SHOWS, findingsQuery, SEVERITY_WORDS, SHOW_WORDS } from '@/lib/view/findings/findings-place'
import { formatCount, formatQuantity } from '@/lib/view/text/format'
import { AppliedCard } from './applied-card'
import { CauseMembers } from './cause-members'
import { CauseRow } from './cause-row'
import { CauseTranscripts } from './cause-transcripts'
import { ChoiceLinks } from './choice-links'
import { type FindingActions, FindingActionsContext } from './finding-actions'
import { findingsListQuery } from './findings-list-query'
import { LookedFor } from './looked-for'

/** What is wrong or dear over all sessions and stores, one row for each cause, the worst first. */
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
  const { place, causes, counts, pages, members, transcripts, applied } = query.data
  return (
    <FindingActionsContext value={actions}>
      {query.isError && (
        <ErrorState title="The findings could not be read again" detail={query.error.message} />
      )}
      <StoreFaults faults={query.data.faults} />
      {members === null ? (
        <Choices place={place} counts={counts} />
      ) : (
        <PageLink href="/findings" className="self-start text-table text-accent hover:underline">
          ‹ All findings
        </PageLink>
      )}
      {members === null && place.page === 1 && place.show === 'open' && <AppliedCard applied={applied} />}
      {causes.length === 0 ? (
        <NothingFound view={query.data} />
      ) : (
        <Card flush title="What is wrong, and what it costs" note={noteOf(query.data)}>
          <ul aria-label="Findings">
            {causes.map((item) => (
              <CauseRow key={item.cause} item={item} />
            ))}
          </ul>
        </Card>
      )}
      {transcripts !== null && <CauseTranscripts transcripts={transcripts} />}
      {members !== null && members.total > 0 && transcripts === null && <CauseMembers members={members} />}
      <Pages place={place} pages={pages} />
    </FindingActionsContext>
  )
}

function Choices({ place, counts }: Pick<FindingsView, 'place' | 'counts'>) {
  const all = SEVERITIES.reduce((sum, severity) => sum + counts[severity], 0)
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-2">
      {(all > 0 || place.severity !== null) && (
        <ChoiceLinks
          label="Severity"
          choices={[null, ...SEVERITIES].map((severity) => ({
            href: `/findings${findingsQuery({ ...place, severity, page: 1 })}`,
            isCurrent: place.severity === severity,
            label: severity === null ? 'All' : SEVERITY_WORDS[severity].label,
            ...(severity === null ? {} : { title: SEVERITY_WORDS[severity].about }),
            count: formatCount(severity === null ? all : counts[severity]),
          }))}
        />
      )}
      <ChoiceLinks
        label="Which"
        choices={FINDING_SHOWS.map((show) => ({
          href: `/findings${findingsQuery({ ...place, show, page: 1 })}`,
          isCurrent: place.show === show,
          label: SHOW_WORDS[show],
        }))}
      />
    </div>
  )
}

/** How many there are, and what a row is. */
function noteOf({ place: { severity }, counts, causes, pages, members }: FindingsView): string {
  const overlap = 'Costs are of the sessions as they went; they overlap and are not added up.'
  if (members !== null) return overlap
  const all = severity === null ? SEVERITIES.reduce((sum, one) => sum + counts[one], 0) : counts[severity]
  const shown =
    pages > 1
      ? `${formatCount(causes.length)} of ${formatQuantity(all, 'cause')}`
      : formatQuantity(all, 'cause')
  return `${shown}, the worst first; each with its dearest session, or its store. ${overlap}`
}

function Pages({ place, pages }: Pick<FindingsView, 'place' | 'pages'>) {
  if (pages < 2) return null
  const to = (page: number, rel: 'prev' | 'next', words: string) => (
    <PageLink
      rel={rel}
      href={`/findings${findingsQuery({ ...place, page })}`}
      className={buttonClasses('plain')}
    >
      {words}
    </PageLink>
  )
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center gap-2">
      {place.page > 1 && to(place.page - 1, 'prev', 'Worse')}
      <p className="tnum text-table text-muted">{`Page ${formatCount(place.page)} of ${formatCount(pages)}`}</p>
      {place.page < pages && to(place.page + 1, 'next', 'Further')}
    </nav>
  )
}

function NothingFound({ view: { place, isUnread, faults } }: { view: FindingsView }) {
  const { severity, show, of, page } = place
  const help = (
    <LookedFor before="Each session is examined as it is read, and each store as a whole again and again." />
  )
  if (of === null && page === 1 && severity === null && show === 'open' && !isUnread) {
    const isWhole = faults.length === 0
    return (
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-table text-muted">
        <PlimsollMark size={16} className={isWhole ? 'text-ok' : undefined} />
        <h2 className="font-medium text-text">
          {isWhole ? 'Nothing is wrong.' : 'Nothing is wrong in what could be read.'}
        </h2>
        {help}
      </div>
    )
  }
  const none = {
    open: 'No session has been read yet',
    muted: 'Nothing is muted',
    gone: 'Nothing has gone yet',
  }
  const title =
    of !== null
      ? 'This finding is not known any more'
      : page > 1
        ? 'There is no such page'
        : severity === null
          ? none[show]
          : 'None of this severity'
  return (
    <Card>
      <EmptyState title={title}>{help}</EmptyState>
    </Card>
  )
}
