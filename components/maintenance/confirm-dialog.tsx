'use client'

import { useState, useTransition } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { ErrorState } from '@/components/ui/error-state'
import type { StartAnswer } from '@/lib/view/jobs/job-answers'
import type { FolderPlanView } from '@/lib/view/maintenance/maintenance'
import { formatBytes, formatQuantity } from '@/lib/view/text/format'

/** Says once more what will happen, and how it is taken back. */
export function ConfirmDialog({
  name,
  plan,
  run,
  onClose,
}: {
  name: string
  plan: FolderPlanView
  run: () => Promise<StartAnswer>
  onClose: () => void
}) {
  const [busy, start] = useTransition()
  const [problem, setProblem] = useState<string | null>(null)
  const sessions = plan.before.entries - plan.after.entries
  const steps = plan.rules.reduce((sum, { count }) => sum + count, 0)

  function confirm() {
    start(async () => {
      const answer = await run()
      if (answer.kind === 'started') onClose()
      else setProblem(answer.problem)
    })
  }

  return (
    <Dialog open onClose={onClose} title={`Apply the plan for ${name}?`}>
      <div className="flex flex-col gap-3">
        <ul className="list-disc pl-5 text-table">
          <li>{`${formatQuantity(sessions, 'session')} will leave the index (${formatQuantity(steps, 'step')} in all).`}</li>
          <li>{`The folder will hold ${formatBytes(plan.before.bytes - plan.after.bytes)} less. Copies of every file that changes or goes stay in Plimsoll’s backups, which take room too.`}</li>
          <li>All of it happens, or nothing, and one receipt takes it back byte for byte.</li>
          <li>If the store has changed since this dry run, it is refused, and nothing changes.</li>
        </ul>
        {problem !== null && <ErrorState title="It was not begun" detail={problem} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={busy} onClick={confirm}>
            {busy ? 'Beginning …' : 'Apply'}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
