'use client'

import { useQuery } from '@tanstack/react-query'
import { useAsOf } from '@/components/live/use-as-of'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { PageLink } from '@/components/ui/page-link'
import type { CauseItem } from '@/lib/view/findings/cause-item'
import type { SessionFindingsView } from '@/lib/view/findings/session-findings'
import { formatQuantity } from '@/lib/view/text/format'
import { CauseRow } from './cause-row'
import { type FindingActions, FindingActionsContext } from './finding-actions'
import { LookedFor } from './looked-for'
import { sessionFindingsQuery } from './session-findings-query'

/** What is wrong or dear in one session, the worst first; what is muted or gone is below. */
export function SessionFindingsScreen({
  id,
  initial,
  asOf,
  actions,
}: {
  id: string
  initial: SessionFindingsView
  asOf: number | null
  actions: FindingActions
}) {
  const options = sessionFindingsQuery(id)
  const query = useQuery({ ...options, initialData: initial })
  useAsOf(options.queryKey, asOf)
  const { open, muted, gone } = query.data
  return (
    <FindingActionsContext value={actions}>
      {query.isError && (
        <ErrorState title="The findings could not be read again" detail={query.error.message} />
      )}
      <Card
        flush
        title="What is wrong in this session, and what it costs"
        note={
          open.length === 0
            ? undefined
            : `${formatQuantity(open.length, 'finding')}, the worst first. Costs are of the session as it went; they overlap and are not added up.`
        }
        aside={
          <PageLink href="/findings" className="px-1 text-table text-accent hover:underline">
            Findings of all sessions
          </PageLink>
        }
      >
        {open.length === 0 ? (
          <div className="px-4 pb-3">
            <EmptyState title="Nothing is wrong in this session">
              <LookedFor before="It was examined as it was read." />
            </EmptyState>
          </div>
        ) : (
          <Rows label="Findings" items={open} />
        )}
      </Card>
      <Others title="Muted" items={muted} />
      <Others title="Not found any more" items={gone} />
    </FindingActionsContext>
  )
}

function Others({ title, items }: { title: string; items: readonly CauseItem[] }) {
  if (items.length === 0) return null
  return (
    <Card flush title={title} note={formatQuantity(items.length, 'finding')}>
      <Rows label={title} items={items} />
    </Card>
  )
}

function Rows({ label, items }: { label: string; items: readonly CauseItem[] }) {
  return (
    <ul aria-label={label}>
      {items.map((item) => (
        <CauseRow key={item.finding} item={item} inSession />
      ))}
    </ul>
  )
}
