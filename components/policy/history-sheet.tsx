'use client'

import { useQuery } from '@tanstack/react-query'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { LoadingNote, Skeleton } from '@/components/ui/skeleton'
import { Moment } from '@/components/ui/time'
import type { PolicyHistoryAnswer, PolicyVersionView } from '@/lib/view/policy/policy-answers'
import type { PolicyDocumentView } from '@/lib/view/policy/policy-reading'
import { formatBytes } from '@/lib/view/text/format'

/** Earlier versions of a file: each was kept when it was replaced, and can be brought back. */
export function HistorySheet({
  document,
  problem,
  read,
  onChoose,
  onClose,
}: {
  document: PolicyDocumentView
  /** Why a version could not be shown; null when none was asked for in vain. */
  problem: string | null
  read: (path: string) => Promise<PolicyHistoryAnswer>
  onChoose: (version: PolicyVersionView) => void
  onClose: () => void
}) {
  const history = useQuery({
    queryKey: ['policy-history', document.path, document.hash] as const,
    queryFn: () => read(document.path),
  })
  return (
    <Dialog open onClose={onClose} title={`History of ${document.label}`} shape="sheet">
      <p className="mb-3 text-label text-muted">
        <code className="isolate-text">{document.path}</code>
      </p>
      {problem !== null && <ErrorState title="This version cannot be read" detail={problem} />}
      {history.isPending && (
        <>
          <LoadingNote what="history" />
          <Skeleton className="h-24 w-full" />
        </>
      )}
      {history.isError && <ErrorState title="The history cannot be read" detail={history.error.message} />}
      {history.data?.kind === 'refused' && (
        <ErrorState title="The history cannot be read" detail={history.data.problem} />
      )}
      {history.data?.kind === 'history' && history.data.versions.length === 0 && (
        <EmptyState title="No earlier version">
          <p>The first save from here keeps the version that it replaces.</p>
        </EmptyState>
      )}
      {history.data?.kind === 'history' && history.data.versions.length > 0 && (
        <ul aria-label="Versions, newest first" className="flex flex-col">
          {history.data.versions.map((version) => (
            <li key={version.id} className="flex items-center gap-3 border-t border-line py-2 text-table">
              <span className="min-w-0 flex-1">
                {'replaced '}
                <Moment at={version.savedAt} />
                <span className="tnum block text-label text-muted">
                  {formatBytes(version.bytes)}
                  {' · '}
                  <code>{version.hash.slice(0, 8)}</code>
                  {version.hash === document.hash && ' · same as now'}
                </span>
              </span>
              <Button onClick={() => onChoose(version)} disabled={version.hash === document.hash}>
                Roll back …
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
