'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type UndoAction, UndoDialog } from '@/components/audit/undo-dialog'
import { SourceDrawer } from '@/components/entry/source-drawer'
import { useAsOf } from '@/components/live/use-as-of'
import { buttonClasses } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { PageLink } from '@/components/ui/page-link'
import type { AuditEntryView } from '@/lib/view/audit/audit'
import type { CompactionsView } from '@/lib/view/compaction/compactions'
import { formatQuantity } from '@/lib/view/text/format'
import { compactionsQuery } from './compactions-query'
import { CompactionsTable } from './compactions-table'
import { DiagnosisCard } from './diagnosis-card'

/**
 * Every compaction and reset of a session: what is wrong with them and why, what set each off, what it freed, what it
 * left and what it lost.
 */
export function CompactionsScreen({
  id,
  initial,
  asOf,
  undo,
}: {
  id: string
  initial: CompactionsView
  /** Revision of the database before `initial` was read. */
  asOf: number | null
  undo: UndoAction
}) {
  const query = useQuery({ ...compactionsQuery(id), initialData: initial })
  useAsOf(compactionsQuery(id).queryKey, asOf)
  const [entry, setEntry] = useState<number | null>(null)
  const [undoing, setUndoing] = useState<AuditEntryView | null>(null)
  const { items, calls, diagnosis } = query.data
  return (
    <>
      {query.isError && (
        <ErrorState title="The compactions could not be read again" detail={query.error.message} />
      )}
      {items.length === 0 ? (
        <NeverCompacted id={id} calls={calls} />
      ) : (
        <>
          {diagnosis.length > 0 && <DiagnosisCard items={diagnosis} />}
          <CompactionsTable id={id} items={items} onUndo={setUndoing} onOpen={setEntry} />
        </>
      )}
      <SourceDrawer id={id} seq={entry} call={Math.max(1, calls)} onClose={() => setEntry(null)} />
      {/* Here, because what is taken back leaves the list. */}
      {undoing !== null && <UndoDialog entry={undoing} undo={undo} onClose={() => setUndoing(null)} />}
    </>
  )
}

function NeverCompacted({ id, calls }: { id: string; calls: number }) {
  return (
    <Card>
      <EmptyState
        title="This session was never compacted or reset"
        action={
          <PageLink href={`/sessions/${id}/compact`} className={buttonClasses('plain')}>
            See what a compaction would do
          </PageLink>
        }
      >
        <p>{`${formatQuantity(calls, 'call')} are in one context. When the runtime compacts it, or you do, it is listed here: what it freed, and what it lost by name.`}</p>
      </EmptyState>
    </Card>
  )
}
