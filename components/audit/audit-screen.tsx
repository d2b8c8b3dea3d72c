'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAsOf } from '@/components/live/use-as-of'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { PageLinks } from '@/components/ui/page-links'
import type { AuditEntryView, AuditView } from '@/lib/view/audit/audit'
import { formatQuantity } from '@/lib/view/text/format'
import { AuditEntry } from './audit-entry'
import { auditQuery } from './audit-query'
import { type UndoAction, UndoDialog } from './undo-dialog'

/** Every write to a store: who, what, why, what the files held before and after, and the way back. */
export function AuditScreen({
  initial,
  page,
  asOf,
  undo,
}: {
  initial: AuditView
  page: number
  /** Revision of the database before `initial` was read. */
  asOf: number | null
  undo: UndoAction
}) {
  const query = useQuery({ ...auditQuery(page), initialData: initial })
  useAsOf(auditQuery(page).queryKey, asOf)
  const [chosen, setChosen] = useState<AuditEntryView | null>(null)
  const view = query.data
  if (view.total === 0 && view.log.ok) return <NothingWritten folder={view.folder} />
  return (
    <>
      {query.isError && <ErrorState title="The list could not be read again" detail={query.error.message} />}
      <Card
        title="Every write to a store"
        note={`${formatQuantity(view.total, 'write')}, newest first; receipts and backups are in ${view.folder}`}
        flush
      >
        <LogState log={view.log} />
        <ol aria-label="Writes">
          {view.entries.map((entry) => (
            <AuditEntry key={entry.id} entry={entry} onUndo={() => setChosen(entry)} />
          ))}
        </ol>
      </Card>
      <PageLinks path="/audit" page={view.page} pages={view.pages} />
      {chosen !== null && <UndoDialog entry={chosen} undo={undo} onClose={() => setChosen(null)} />}
    </>
  )
}

/** Whether the log of writes is whole; how to check it by hand. */
function LogState({ log: { ok, lines } }: Pick<AuditView, 'log'>) {
  return (
    <section
      aria-label="Log of writes"
      className={`border-b border-line px-4 py-2 text-table ${ok ? 'text-muted' : 'text-danger'}`}
    >
      {lines.map((line) => (
        <p key={line} className="isolate-text max-w-[90ch]">
          {line}
        </p>
      ))}
      {!ok && (
        <p>
          <code>plimsoll audit --verify</code> looks again, and for lines of signed receipts that are missing.
        </p>
      )}
    </section>
  )
}

function NothingWritten({ folder }: { folder: string }) {
  return (
    <Card>
      <EmptyState title="Nothing was ever written to a store">
        <p>
          Reading changes nothing. When Plimsoll repairs, compacts or tidies up a session, the write is here
          with its reason, the hashes of the files before and after, and a button that takes it back byte for
          byte. Receipts and backups are kept in <code className="isolate-text">{folder}</code>.
        </p>
      </EmptyState>
    </Card>
  )
}
