'use client'

import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { useAsOf } from '@/components/live/use-as-of'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { PageLink } from '@/components/ui/page-link'
import { ProbeList } from '@/components/ui/probe-list'
import { replaceAddress } from '@/components/ui/replace-address'
import {
  type ActivityParams,
  type ActivityView,
  activityQueryText,
  parseActivityParams,
} from '@/lib/view/activity/activity'
import { formatBytes, formatCount, formatQuantity } from '@/lib/view/text/format'
import { activityQuery } from './activity-query'
import { HealthCard } from './health-card'
import { LogFilters } from './log-filters'
import { LogRowList } from './log-rows'
import { ReasonsCard } from './reasons-card'
import { SavingsCard } from './savings-card'
import { ScoresCard } from './scores-card'

/** What agents log of their contexts: charts to tune by, and the lines themselves. */
export function ActivityScreen({
  initial,
  asOf,
  children,
}: {
  initial: { readonly params: ActivityParams; readonly view: ActivityView }
  asOf: number | null
  /** What is shown in the place of logs where there are none. */
  children?: ReactNode
}) {
  const search = useSearchParams()
  const params = parseActivityParams((name) => search.get(name))
  const isPainted = activityQueryText(params) === activityQueryText(initial.params)
  const query = useQuery({ ...activityQuery(params), initialData: isPainted ? initial.view : undefined })
  useAsOf(['activity'], asOf)
  const view = query.data ?? initial.view

  const choose = (change: Partial<ActivityParams>) =>
    replaceAddress(`/activity${activityQueryText({ ...params, page: 1, ...change })}`)

  if (view.logged === 0 && view.broken.count === 0)
    return <NothingLogged view={view}>{children}</NothingLogged>
  return (
    <>
      <LogFilters params={params} view={view} loading={query.isPlaceholderData} onChoose={choose} />
      {query.isError && <ErrorState title="The logs could not be read again" detail={query.error.message} />}
      <Notes view={view} />
      <div className="grid gap-4 lg:grid-cols-2">
        <ReasonsCard reasons={view.summary.drops.reasons} />
        <ScoresCard scores={view.summary.drops.scores} thresholds={view.thresholds} />
        <SavingsCard view={view} />
        <HealthCard health={view.summary.health} />
      </div>
      <LogRowList params={params} view={view} onChoose={choose} />
    </>
  )
}

/** What is not in the figures, and why. */
function Notes({ view: { broken, foldedOf, skipped, unread } }: { view: ActivityView }) {
  const notes = [
    ...(foldedOf === null ? [] : [`The charts are of the newest 100 000 of ${formatCount(foldedOf)} lines.`]),
    ...skipped.map(
      ({ path, bytes }) =>
        `Of ${path} the first ${formatBytes(bytes)} are older than what is kept here; "plimsoll logs" reads them.`,
    ),
    ...unread,
  ]
  if (notes.length === 0 && broken.count === 0) return null
  return (
    <div className="flex flex-col gap-1 text-table text-muted">
      {notes.map((note) => (
        <p key={note} className="isolate-text">
          {note}
        </p>
      ))}
      {broken.count > 0 && (
        <details>
          <summary className="w-fit cursor-pointer text-attention">
            {`${formatQuantity(broken.count, 'line')} could not be read and ${broken.count === 1 ? 'is' : 'are'} in no figure`}
          </summary>
          <ul className="mt-1">
            {broken.first.map(({ place, problem }) => (
              <li key={place} className="isolate-text">
                <code className="text-label">{place}</code> {problem}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

function NothingLogged({ view, children }: { view: ActivityView; children: ReactNode }) {
  return (
    <>
      {children}
      <Card>
        <EmptyState title="No agent keeps a log">
          <p>
            {'What sessions did themselves is '}
            <PageLink href="/activity/transcripts" className="text-accent underline underline-offset-2">
              from their transcripts
            </PageLink>
            {': compactions, resets and failed calls of all runtimes.'}
          </p>
          <p>
            Agents that drop, curate and compact note what they do in five files: compaction, curation, drops,
            recovery and context-health, each with <code>.jsonl</code>. None was found where they are looked
            for. Another place is named by <code>logs.path</code> of the policy, or <code>LOG_PATH</code> in
            an agent&apos;s <code>context-config.yaml</code>. New lines show here by themselves.
          </p>
          <details>
            <summary className="w-fit cursor-pointer">{`${formatQuantity(view.places.length, 'place')} probed`}</summary>
            <div className="mt-2">
              <ProbeList probes={view.places} />
            </div>
          </details>
        </EmptyState>
      </Card>
    </>
  )
}
