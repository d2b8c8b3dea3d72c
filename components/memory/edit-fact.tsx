'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import type { FactRow } from '@/lib/view/memory/memory'

/** Changes or forgets one fact; forgetting asks once more. */
export function EditFact({
  fact,
  busy,
  problem,
  onSave,
  onForget,
  onClose,
}: {
  fact: FactRow
  busy: boolean
  problem: string | null
  onSave: (change: { content?: string; confidence?: number; state?: 'active' | 'archived' }) => void
  onForget: () => void
  onClose: () => void
}) {
  const [content, setContent] = useState(fact.content)
  const [sure, setSure] = useState(String(fact.sure))
  const [isActive, setActive] = useState(fact.state === 'active')
  const [isForgetting, setForgetting] = useState(false)
  const percent = Number(sure)
  const isValid = percent > 0 && percent <= 100 && content.trim() !== ''

  function save() {
    onSave({
      ...(fact.isMasked || content === fact.content ? {} : { content }),
      ...(percent === fact.sure ? {} : { confidence: percent / 100 }),
      ...(isActive === (fact.state === 'active') ? {} : { state: isActive ? 'active' : 'archived' }),
    })
  }

  return (
    <Dialog open onClose={onClose} title="Edit a fact">
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <label className="flex flex-col gap-1">
          <span className="text-label text-muted">
            {fact.isMasked ? 'Fact (a credential in it is covered, so the text stays as it is)' : 'Fact'}
          </span>
          <textarea
            value={content}
            onChange={(event) => setContent(event.target.value)}
            readOnly={fact.isMasked}
            maxLength={1_000}
            rows={3}
            data-first-focus
            className="rounded-md border border-line-strong bg-surface p-2"
          />
        </label>
        <div className="flex flex-wrap items-end gap-4">
          <label className="flex flex-col gap-1">
            <span className="text-label text-muted">Confidence, %</span>
            <input
              type="number"
              min={1}
              max={100}
              value={sure}
              onChange={(event) => setSure(event.target.value)}
              className="tnum h-8 w-24 rounded-md border border-line-strong bg-surface px-2"
            />
          </label>
          <label className="flex h-8 items-center gap-2">
            <input type="checkbox" checked={isActive} onChange={(event) => setActive(event.target.checked)} />
            Recalled for new tasks
          </label>
        </div>
        <p className="text-label text-muted">
          {`${fact.source}; what you save counts as confirmed today.${fact.replacedBy === null ? '' : ` A newer fact says otherwise: ${fact.replacedBy}.`}`}
        </p>
        {problem !== null && (
          <p role="alert" className="text-danger">
            {problem}
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          {isForgetting ? (
            <Button onClick={onForget} disabled={busy} className="text-danger">
              Really forget it, for good
            </Button>
          ) : (
            <Button kind="quiet" onClick={() => setForgetting(true)}>
              Forget…
            </Button>
          )}
          <Button type="submit" kind="primary" disabled={busy || !isValid}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
