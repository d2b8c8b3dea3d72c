'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { Button } from '@/components/ui/button'
import { ErrorState } from '@/components/ui/error-state'
import { EstimateMark } from '@/components/ui/figure'
import type { UndoAnswer } from '@/lib/view/audit/audit-answers'
import type { ColdAnswer, ColdDetail, ColdName, ColdPlacing } from '@/lib/view/cold/cold-storage'
import { formatCount } from '@/lib/view/text/format'
import type { ColdActions } from './cold-actions'
import { Neighbourhood } from './neighbourhood'

/** Where a chunk would go back, among what, how large; then, once confirmed, what came of it and the way back. */
export function RecoverPanel({
  detail,
  name,
  query,
  place,
  actions,
  onPlace,
  onTarget,
}: {
  detail: ColdDetail
  name: ColdName
  query: string
  place: 'neighbourhood' | 'end'
  actions: ColdActions
  onPlace: (place: 'neighbourhood' | 'end') => void
  onTarget: (id: string) => void
}) {
  const { placing, targets, problem } = detail
  return (
    <section aria-label="Back into its session" className="flex min-w-0 flex-col gap-3">
      <h3 className="text-body font-medium">Back into its session</h3>
      {problem !== null && <ErrorState title="Its transcript cannot be read" detail={problem} />}
      {placing === null && problem === null && (
        <p className="text-table text-muted">
          No transcript of its session is known here. The chunk can be saved as a file.
        </p>
      )}
      {placing !== null && (
        <>
          {targets.length > 1 && (
            <label className="flex flex-col gap-1 text-label text-muted">
              Transcript
              <select
                value={placing.target}
                onChange={(event) => onTarget(event.target.value)}
                className="h-8 rounded-md border border-line bg-surface px-2 text-table text-text"
              >
                {targets.map(({ id, title, state, path }) => (
                  <option key={id} value={id}>
                    {`${title} (${state}) ${path}`}
                  </option>
                ))}
              </select>
            </label>
          )}
          <PlaceChoice place={place} onPlace={onPlace} />
          {placing.why !== null && (
            <p className="text-table text-attention">{`At the end, because ${placing.why}.`}</p>
          )}
          <Neighbourhood placing={placing} row={detail.row} />
          <Recover placing={placing} name={name} query={query} place={place} actions={actions} />
        </>
      )}
    </section>
  )
}

function PlaceChoice({
  place,
  onPlace,
}: {
  place: 'neighbourhood' | 'end'
  onPlace: (place: 'neighbourhood' | 'end') => void
}) {
  return (
    <fieldset className="flex flex-wrap gap-x-4 gap-y-1 text-table">
      <legend className="sr-only">Where it goes</legend>
      {(['neighbourhood', 'end'] as const).map((one) => (
        <label key={one} className="inline-flex items-center gap-1.5">
          <input type="radio" name="place" checked={place === one} onChange={() => onPlace(one)} />
          {one === 'end' ? 'at the end' : 'where it was'}
        </label>
      ))}
    </fieldset>
  )
}

function Recover({
  placing,
  name,
  query,
  place,
  actions,
}: {
  placing: ColdPlacing
  name: ColdName
  query: string
  place: 'neighbourhood' | 'end'
  actions: ColdActions
}) {
  const client = useQueryClient()
  const [asked, setAsked] = useState(false)
  const [busy, start] = useTransition()
  const [answer, setAnswer] = useState<ColdAnswer | null>(null)
  const [undone, setUndone] = useState<UndoAnswer | null>(null)

  function confirm() {
    start(async () => {
      setUndone(null)
      setAnswer(await actions.recover(name, { session: placing.target, wanted: place, query }))
      setAsked(false)
      await client.invalidateQueries()
    })
  }

  function takeBack(receipt: string) {
    start(async () => {
      setUndone(await actions.undo(receipt))
      await client.invalidateQueries()
    })
  }

  const size = (
    <span className="tnum">
      {formatCount(placing.tokens)} tokens
      <EstimateMark errorPct={null} />
    </span>
  )
  if (answer?.kind === 'done' && undone?.kind !== 'undone')
    return (
      <div className="flex flex-col items-start gap-2">
        <p role="status" className="text-table text-ok">
          {answer.message}
        </p>
        {undone?.kind === 'refused' && <ErrorState title="It was not taken back" detail={undone.problem} />}
        {answer.receipt !== null && (
          <Button disabled={busy} onClick={() => takeBack(answer.receipt ?? '')}>
            {busy ? 'Taking it back …' : 'Undo'}
          </Button>
        )}
      </div>
    )
  return (
    <div className="flex flex-col items-start gap-2">
      {undone?.kind === 'undone' && (
        <p role="status" className="text-table text-ok">
          Taken back: the transcript holds byte for byte what it held before.
        </p>
      )}
      {answer?.kind === 'unchanged' && (
        <p role="status" className="text-table text-muted">
          {answer.message}
        </p>
      )}
      {answer?.kind === 'refused' && (
        <ErrorState title="It was not brought back; nothing was changed" detail={answer.problem} />
      )}
      {placing.refusal !== null && (
        <p className="isolate-text text-table text-attention">{placing.refusal}</p>
      )}
      {placing.isThere && (
        <p className="text-table text-muted">The chunk is back in the context of this session already.</p>
      )}
      {asked ? (
        <div className="flex flex-col gap-2 rounded-md border border-line p-3 text-table">
          <p>
            A note of {size} will be written {placing.kind === 'end' ? 'at the end of' : 'into'}{' '}
            <code className="isolate-text text-label">{placing.file}</code>. A backup is kept, the file is
            read again and checked, and it can be undone.
          </p>
          <div className="flex flex-wrap gap-2">
            <Button kind="primary" disabled={busy} onClick={confirm}>
              {busy ? 'Bringing it back …' : 'Bring it back'}
            </Button>
            <Button onClick={() => setAsked(false)}>Cancel</Button>
          </div>
        </div>
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          <Button
            kind="primary"
            disabled={placing.refusal !== null || placing.isThere}
            onClick={() => setAsked(true)}
          >
            Bring it back…
          </Button>
          <span className="text-label text-muted">as a note of {size}</span>
        </div>
      )}
    </div>
  )
}
