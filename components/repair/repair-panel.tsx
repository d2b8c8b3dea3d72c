'use client'

import { useRouter } from 'next/navigation'
import { useState, useTransition } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Dialog } from '@/components/ui/dialog'
import { ErrorState } from '@/components/ui/error-state'
import type { UndoAnswer } from '@/lib/view/audit/audit-answers'
import type { IntegrityView, RepairAnswer } from '@/lib/view/repair/integrity'
import { formatQuantity } from '@/lib/view/text/format'
import { visibleLine } from '@/lib/view/text/visible-text'

/** Server actions of the page. */
type RepairActions = {
  readonly repair: (session: string, hash: string) => Promise<RepairAnswer>
  /** Has OpenClaw's own doctor do it, in its database. */
  readonly doctor: (session: string) => Promise<RepairAnswer>
  readonly undo: (receipt: string) => Promise<UndoAnswer>
}

/** A session, how sound it is, and what can be done about that. */
export type RepairedSession = { session: string; view: IntegrityView; actions: RepairActions }

/** The verdict, and the way to put things right and back. */
export function RepairPanel({ session, view, actions }: RepairedSession) {
  const router = useRouter()
  const [asking, setAsking] = useState(false)
  const [answer, setAnswer] = useState<RepairAnswer | null>(null)
  const [undone, setUndone] = useState<UndoAnswer | null>(null)
  const [busy, start] = useTransition()
  const { hash, changes } = view
  const run = (work: () => Promise<void>) =>
    start(async () => {
      await work()
      router.refresh()
    })
  const repair = () =>
    run(async () => {
      if (hash === null) return
      setUndone(null)
      setAnswer(await actions.repair(session, hash))
      setAsking(false)
    })
  const doctor = () =>
    run(async () => {
      setAnswer(await actions.doctor(session))
      setAsking(false)
    })
  const undo = (receipt: string) =>
    run(async () => {
      const result = await actions.undo(receipt)
      setUndone(result)
      if (result.kind !== 'refused') setAnswer(null)
    })
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-2">
          Safe to resume? <Badge tone={view.verdict.tone}>{view.verdict.title}</Badge>
        </span>
      }
      aside={
        <>
          <Button kind="quiet" disabled={busy} onClick={() => run(async () => {})}>
            Check again
          </Button>
          {changes > 0 && view.readOnly === null && (
            <Button kind="primary" disabled={busy} onClick={() => setAsking(true)}>
              Repair…
            </Button>
          )}
          {view.byDoctor && (
            <Button kind="primary" disabled={busy} onClick={() => setAsking(true)}>
              Have OpenClaw’s doctor repair it…
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-2">
        <p className="max-w-[80ch]">{view.verdict.words}</p>
        {view.importWords !== null && <p className="max-w-[80ch] text-attention">{view.importWords}</p>}
        {view.readOnly !== null && view.verdict.tone !== 'ok' && (
          <p className="max-w-[80ch]">{view.readOnly}</p>
        )}
        {view.owner !== null && (
          <p className="isolate-text max-w-[80ch] break-words text-attention">
            {`In use by ${view.owner}. It is not written as long as that lasts.`}
          </p>
        )}
        <code className="isolate-text text-label break-all text-muted">{visibleLine(view.path)}</code>
        <Outcome answer={answer} undone={undone} busy={busy} onUndo={undo} />
      </div>
      <DoctorDialog
        open={asking && view.byDoctor}
        busy={busy}
        onClose={() => setAsking(false)}
        onConfirm={doctor}
      />
      <Dialog
        open={asking && !view.byDoctor}
        onClose={() => setAsking(false)}
        title="Repair this transcript?"
      >
        <div className="flex flex-col gap-3">
          <p className="max-w-[80ch]">
            {`${formatQuantity(changes, 'entry', 'entries')} will be changed, dropped, moved or put in; all others stay as they are, to the byte. The file is locked, copied to a backup, replaced in one step and read again. A receipt lets you take it back.`}
          </p>
          {view.owner !== null && (
            <p className="isolate-text max-w-[80ch] break-words text-attention">{`In use by ${view.owner}. Plimsoll waits a few seconds, and refuses if it lasts.`}</p>
          )}
          <div className="flex flex-wrap justify-end gap-2">
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <Button kind="primary" disabled={busy} onClick={repair} data-first-focus>
              {busy ? 'Repairing …' : 'Repair'}
            </Button>
          </div>
        </div>
      </Dialog>
    </Card>
  )
}

function DoctorDialog({
  open,
  busy,
  onClose,
  onConfirm,
}: {
  open: boolean
  busy: boolean
  onClose: () => void
  onConfirm: () => void
}) {
  return (
    <Dialog open={open} onClose={onClose} title="Have OpenClaw’s doctor repair it?">
      <div className="flex flex-col gap-3">
        <ul className="list-disc pl-5 text-table">
          <li>“openclaw doctor --fix” is run. It writes the header, which only OpenClaw may do.</li>
          <li>
            It also applies all of its other safe repairs, to configuration and registries; it keeps a copy of
            openclaw.json.
          </li>
          <li>
            Afterwards every row of the database is looked at, and a receipt is kept. It cannot be undone from
            here.
          </li>
        </ul>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={busy} onClick={onConfirm} data-first-focus>
            {busy ? 'The doctor is at it …' : 'Have it done'}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function Outcome({
  answer,
  undone,
  busy,
  onUndo,
}: {
  answer: RepairAnswer | null
  undone: UndoAnswer | null
  busy: boolean
  onUndo: (receipt: string) => void
}) {
  return (
    <>
      {undone?.kind === 'undone' && (
        <p role="status" className="text-table text-ok">
          Taken back: the file is what it was before the repair, byte for byte.
        </p>
      )}
      {undone?.kind === 'refused' && (
        <ErrorState title="It was not taken back; nothing was changed" detail={undone.problem} />
      )}
      {answer?.kind === 'unchanged' && (
        <p role="status" className="text-table text-muted">
          Nothing changed: there was nothing to repair.
        </p>
      )}
      {answer?.kind === 'refused' && (
        <ErrorState title="It was not repaired; nothing was changed" detail={answer.problem} />
      )}
      {answer?.kind === 'by-openclaw' && (
        <p role="status" className="text-table">
          <span className="text-ok">{answer.words}</span>{' '}
          <a href={`/audit#${answer.receipt}`} className="isolate-text text-accent hover:underline">
            {`Receipt ${answer.receipt}`}
          </a>
        </p>
      )}
      {answer?.kind === 'repaired' && (
        <div role="status" className="flex flex-wrap items-center gap-2 text-table">
          <p className="text-ok">{['Repaired, and read again to be sure.', ...answer.notes].join(' ')}</p>
          <a href={`/audit#${answer.receipt}`} className="isolate-text text-accent hover:underline">
            {`Receipt ${answer.receipt}`}
          </a>
          <Button disabled={busy} onClick={() => onUndo(answer.receipt)}>
            Undo
          </Button>
        </div>
      )}
    </>
  )
}
