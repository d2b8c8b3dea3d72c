'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ErrorState } from '@/components/ui/error-state'
import type { StartAnswer } from '@/lib/view/jobs/job-answers'
import type { FolderPlanView, FolderView } from '@/lib/view/maintenance/maintenance'
import { formatBytes, formatQuantity } from '@/lib/view/text/format'
import { ConfirmDialog } from './confirm-dialog'
import { PlanRules } from './plan-rules'

/** The dry run of one sessions folder, and the way to apply it. */
export function FolderCard({
  folder,
  mode,
  busy,
  onRun,
}: {
  folder: FolderView
  mode: 'warn' | 'enforce'
  /** A job works on this folder already. */
  busy: boolean
  /** Begins to apply the plan that this names. */
  onRun: (folder: FolderView, fingerprint: string) => Promise<StartAnswer>
}) {
  const [asked, setAsked] = useState<FolderPlanView | null>(null)
  const { result } = folder
  return (
    <Card title={`Dry run: ${folder.name}`} note={<code className="isolate-text">{folder.folder}</code>}>
      {result.ok ? (
        <div className="flex flex-col gap-3">
          <Figures plan={result.plan} />
          {result.plan.warnings.length > 0 && (
            <ul aria-label="Warnings" className="flex flex-col gap-1 text-table text-attention">
              {result.plan.warnings.map((warning) => (
                <li key={warning} className="isolate-text">
                  {warning}
                </li>
              ))}
            </ul>
          )}
          <PlanRules rules={result.plan.rules} />
          <Spared spared={result.plan.spared} />
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <Button
              kind={mode === 'enforce' ? 'primary' : 'plain'}
              disabled={result.plan.empty || mode === 'warn' || busy}
              onClick={() => setAsked(result.plan)}
              aria-label={`Apply the plan for ${folder.name}`}
            >
              Apply…
            </Button>
            <p className="text-table text-muted">{hint(result.plan, mode, busy)}</p>
          </div>
        </div>
      ) : (
        <ErrorState title="There is no dry run of this folder" detail={result.problem} />
      )}
      {asked !== null && (
        <ConfirmDialog
          name={folder.name}
          plan={asked}
          run={() => onRun(folder, asked.fingerprint)}
          onClose={() => setAsked(null)}
        />
      )}
    </Card>
  )
}

function hint({ empty }: FolderPlanView, mode: 'warn' | 'enforce', busy: boolean): string {
  if (empty) return 'Nothing to do: everything is within its limits.'
  if (busy) return 'A job works on this store; see above.'
  return mode === 'warn'
    ? 'The mode is warn, which removes nothing. Choose enforce to carry this out.'
    : 'Nothing has been written yet.'
}

function Figures({ plan }: { plan: FolderPlanView }) {
  const { before, after } = plan
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-4">
      <Figure term="Sessions now">{formatQuantity(before.entries, 'session')}</Figure>
      <Figure term="Afterwards">{formatQuantity(after.entries, 'session')}</Figure>
      <Figure term="Folder now">{formatBytes(before.bytes)}</Figure>
      <Figure term="Afterwards">{formatBytes(after.bytes)}</Figure>
    </dl>
  )
}

function Figure({ term, children }: { term: string; children: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-label text-muted">{term}</dt>
      <dd className="tnum">{children}</dd>
    </div>
  )
}

function Spared({ spared }: Pick<FolderPlanView, 'spared'>) {
  if (spared.length === 0) return null
  return (
    <details open={spared.length <= 5} className="rounded-md border border-line">
      <summary className="cursor-pointer px-3 py-2 text-table font-medium">
        {`${formatQuantity(spared.length, 'session')} beyond a limit ${spared.length === 1 ? 'stays' : 'stay'}`}
      </summary>
      <ul
        aria-label="Sessions that stay"
        className="flex flex-col gap-1 border-t border-line px-3 py-2 text-table"
      >
        {spared.map(({ key, because, limit }) => (
          <li key={key} className="flex flex-wrap items-baseline gap-x-3">
            <code className="isolate-text min-w-0 text-label break-all">{key}</code>
            <span className="text-muted">{`${because}; limit: ${limit}`}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
