'use client'

import { useState, useTransition } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { ErrorState } from '@/components/ui/error-state'
import type { SyntaxProblem } from '@/lib/core/policy/source-tree'
import type { PolicySaveAnswer } from '@/lib/view/policy/policy-answers'
import type { PolicyDocumentView, PolicyProblem } from '@/lib/view/policy/policy-reading'
import type { PolicyChange } from '@/lib/view/policy/policy-values'
import { formatQuantity } from '@/lib/view/text/format'
import { ChangeList } from './change-list'
import { DiffView } from './diff-view'
import { ProblemList } from './problem-list'

/** Shows what a save would change before anything is written, saves, and says what became of it. */
export function SaveDialog({
  title,
  document,
  before,
  after,
  changes,
  effects,
  problems,
  confirm,
  onSave,
  onClose,
}: {
  title: string
  document: PolicyDocumentView
  before: string
  after: string
  changes: readonly PolicyChange[]
  /** What it means for the operator's own sessions. */
  effects: readonly { readonly id: string; readonly words: string }[]
  problems: readonly PolicyProblem[]
  /** What the button says. */
  confirm: string
  /** Resolves when the answer has been dealt with; refused and invalid ones are shown here. */
  onSave: () => Promise<PolicySaveAnswer>
  onClose: () => void
}) {
  const [busy, start] = useTransition()
  const [answer, setAnswer] = useState<PolicySaveAnswer | null>(null)
  const errors = problems.filter((problem) => problem.severity === 'error')
  return (
    <Dialog open onClose={onClose} title={title} shape="wide">
      <div className="flex flex-col gap-4">
        <p className="text-table">
          <code className="isolate-text">{document.path}</code>
          <span className="text-muted">
            {document.exists
              ? ' is replaced as a whole; the present version is kept and can be brought back.'
              : ' does not exist yet and is created.'}
          </span>
        </p>
        {errors.length > 0 && (
          <section className="rounded-md border border-danger">
            <h3 className="px-3 pt-2 text-table font-medium text-danger">
              {`It cannot be saved: ${formatQuantity(errors.length, 'error')}`}
            </h3>
            <ProblemList problems={errors} />
          </section>
        )}
        <ChangeList changes={changes} />
        {effects.length > 0 && (
          <section>
            <h3 className="text-table font-medium">Over your own sessions</h3>
            <ul aria-label="Over your own sessions" className="tnum mt-1 flex flex-col gap-0.5 text-table">
              {effects.map(({ id, words }) => (
                <li key={id}>{words}</li>
              ))}
            </ul>
          </section>
        )}
        <DiffView before={before} after={after} file={document.path} />
        {answer !== null && <Answer answer={answer} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            disabled={busy || errors.length > 0}
            onClick={() => start(async () => setAnswer(await onSave()))}
          >
            {busy ? 'Saving …' : confirm}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function Answer({ answer }: { answer: PolicySaveAnswer }) {
  if (answer.kind === 'refused') {
    return <ErrorState title="Nothing was written" detail={answer.problem} />
  }
  if (answer.kind === 'invalid') {
    return (
      <ErrorState
        title="Nothing was written: the file is not valid"
        detail={<ProblemList problems={answer.problems.map(problemOf)} />}
      />
    )
  }
  if (answer.kind === 'unchanged') {
    return (
      <p role="status" className="text-table">
        Nothing changed: the file says this already.
      </p>
    )
  }
  return null
}

function problemOf({ severity, message, line, key }: SyntaxProblem): PolicyProblem {
  return { severity, message, lines: [line], key, paths: [] }
}
