'use client'

import { useQuery } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { classes } from '@/components/ui/classes'
import { Dialog } from '@/components/ui/dialog'
import { ErrorState } from '@/components/ui/error-state'
import type { PlanView } from '@/lib/view/compaction/compact-plan'
import { askedSentence, costWords } from '@/lib/view/compaction/compact-plan'
import type { CompactionStatus } from '@/lib/view/compaction/compaction-status'
import type { StartAnswer } from '@/lib/view/jobs/job-answers'
import { formatUsd } from '@/lib/view/text/format'
import { visibleLine } from '@/lib/view/text/visible-text'
import { statusQuery } from './compact-queries'

const SUMMARIES = {
  digest: 'a digest, made here of the messages themselves',
  checkpoint:
    'the checkpoint that the agent wrote itself, word for word, and behind it a digest of what came after it, made here',
} as const

/** Who works with the session, and the way to apply the plan; at the lower edge whatever is shown. */
export function RunBar({
  id,
  initial,
  plan,
  busy,
  past,
  focus,
  run,
}: {
  id: string
  initial: CompactionStatus
  /** The plan on the page; null while another is on its way. */
  plan: PlanView | null
  /** A job of this session is under way. */
  busy: boolean
  /** The plan is at an earlier call. */
  past: boolean
  focus: string
  run: (firstKept: string) => Promise<StartAnswer>
}) {
  const status = useQuery({ ...statusQuery(id), initialData: initial }).data
  const [asking, setAsking] = useState(false)
  if (status.unfit !== null)
    return (
      <Card title="Plimsoll does not compact this session" note="the plan shows what a compaction would do">
        <p className="isolate-text max-w-[80ch] break-words text-table">{visibleLine(status.unfit)}</p>
      </Card>
    )
  const ready = plan !== null && plan.kind === 'plan' && !past && !busy
  return (
    <section
      aria-label="Run the compaction"
      className="floating sticky bottom-18 z-10 flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2 md:bottom-3"
    >
      <Button kind="primary" disabled={!ready} onClick={() => setAsking(true)}>
        Run compaction…
      </Button>
      <p className="isolate-text min-w-0 text-table break-words" data-testid="lock">
        {status.byGateway ? (
          'OpenClaw’s gateway runs it. Its own settings decide about the cut and the summary, so it may differ from the plan.'
        ) : status.owner === null ? (
          <span className="text-ok">Lock: free.</span>
        ) : (
          <span className="text-attention">{`In use by ${visibleLine(status.owner)}. A run waits a minute for it, and is refused if it lasts.`}</span>
        )}
      </p>
      <span className={classes('text-label text-muted', ready && 'max-sm:hidden')}>
        {busy
          ? 'A compaction of this session is under way.'
          : past
            ? 'A session is compacted at its end; this plan is for an earlier call.'
            : plan?.kind === 'nothing'
              ? 'There is nothing to compact.'
              : status.byGateway
                ? 'After it: what the database shows. It cannot be undone from here.'
                : 'Nothing is written yet. After it: a receipt, with Undo.'}
      </span>
      {asking && ready && plan.kind === 'plan' && (
        <ConfirmRun
          plan={plan}
          status={status}
          focus={focus}
          run={() => run(plan.firstKept.entryId)}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  )
}

function ConfirmRun({
  plan,
  status,
  focus,
  run,
  onClose,
}: {
  plan: Extract<PlanView, { kind: 'plan' }>
  status: CompactionStatus
  focus: string
  run: () => Promise<StartAnswer>
  onClose: () => void
}) {
  const [busy, start] = useTransition()
  const [problem, setProblem] = useState<string | null>(null)
  const { cost, summary, asked: models, sent } = plan

  function confirm() {
    start(async () => {
      const answer = await run()
      if (answer.kind === 'started') onClose()
      else setProblem(answer.problem)
    })
  }

  const asked =
    summary.source === 'model' && sent !== null
      ? `A model writes the summary. ${askedSentence(models, sent)} ${costWords(cost)}${cost.usd === null ? ', at a price that is not known' : `, ${formatUsd(cost.usd)} ≈`}. If no model answers, a digest takes the place of the summary.`
      : `The summary is ${SUMMARIES[summary.source === 'checkpoint' ? 'checkpoint' : 'digest']}. No model is asked, and no message is sent anywhere.`
  return (
    <Dialog open onClose={onClose} title="Compact this session?">
      <div className="flex flex-col gap-3">
        {status.byGateway ? (
          <p className="isolate-text text-table break-words">
            OpenClaw’s gateway is asked to compact this session in its database. Its own settings decide what
            is cut and who writes the summary. The database is read again afterwards, and nothing else is
            believed. It cannot be undone from here.
          </p>
        ) : (
          <ul className="isolate-text list-disc pl-5 text-table break-words">
            <li>
              One record is added; what is in the file stays as it is:{' '}
              <code className="text-label break-all">{status.file}</code>
            </li>
            <li>
              Copies of every file that changes are kept in{' '}
              <code className="text-label break-all">{status.backups}</code>. One receipt takes it back, byte
              for byte.
            </li>
            <li>{asked}</li>
            {focus !== '' && <li>{`The summary pays most attention to: ${visibleLine(focus)}`}</li>}
            <li>The file is locked, written, read again, and the context that it now builds is compared.</li>
            <li>If the session’s cut has moved since this plan, it is refused, and nothing changes.</li>
          </ul>
        )}
        {status.owner !== null && (
          <p className="isolate-text text-table break-words text-attention">{`In use by ${visibleLine(status.owner)}.`}</p>
        )}
        {problem !== null && <ErrorState title="It was not begun" detail={problem} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={busy} onClick={confirm} data-first-focus>
            {busy ? 'Beginning …' : 'Compact'}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
