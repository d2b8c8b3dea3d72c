'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useTransition } from 'react'
import { HostileText } from '@/components/entry/hostile-text'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { ErrorState } from '@/components/ui/error-state'
import type { PickName } from '@/lib/core/replay/tune/tune-state'
import type { UndoAnswer } from '@/lib/view/audit/audit-answers'
import type { CauseItem } from '@/lib/view/findings/cause-item'
import type { AppliedAnswer, RemedyOffer, TunedChoice } from '@/lib/view/findings/remedy-answers'
import { useFindingActions } from './finding-actions'
import { ForeseenBlock } from './foreseen-block'
import { PinChoice } from './pin-choice'
import { TakenBack } from './taken-back'

/** What is to be cured, or a pick of a tuning; `subjectId`: the session that it is worked out for. */
type Item = Pick<CauseItem, 'finding' | 'subjectId' | 'title' | 'applies'>

/**
 * The setting behind a finding, or the rules that can be pinned: what would change and what it would do, then applied,
 * then taken back if wished.
 */
export function RemedyDialog({ item, onClose }: { item: Item; onClose: () => void }) {
  const client = useQueryClient()
  const actions = useFindingActions()
  const [pick, setPick] = useState<PickName | null>(null)
  const [offer, setOffer] = useState<RemedyOffer | null>(null)
  const [tuning, setTuning] = useState<TunedChoice | null>(null)
  const [applied, setApplied] = useState<AppliedAnswer | null>(null)
  const [undone, setUndone] = useState<UndoAnswer | null>(null)
  const [busy, start] = useTransition()
  const [pin, setPin] = useState<string | null>(null)
  const { finding, subjectId } = item
  const isApplied = applied?.kind === 'applied'

  // The outside system is the server, which reads the settings file and sessions for it. What was changed stays there to
  // be seen: read again, it would be another offer, and the dialog would change under the pointer.
  useEffect(() => {
    if (isApplied) return
    let isOpen = true
    actions.remedy(subjectId, finding, pick).then((answer) => {
      if (!isOpen) return
      setOffer(answer)
      // The picks stay there to go back from.
      if ('tuning' in answer && answer.tuning !== null) setTuning(answer.tuning)
    })
    return () => {
      isOpen = false
    }
  }, [actions, subjectId, finding, pick, isApplied])

  function choose(next: PickName | null) {
    setOffer(null)
    setApplied(null)
    setPick(next)
  }

  function apply(seen: string, isLossWanted = false) {
    start(async () => {
      setApplied(await actions.apply(subjectId, finding, pick, seen, isLossWanted))
      // The page follows by itself; the answer need not wait for it. What was foreseen is of the file as it was.
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'foreseen' })
    })
  }

  function takeBack(receipt: string) {
    start(async () => {
      setUndone(await actions.undo(receipt))
      void client.invalidateQueries()
    })
  }

  const isAskedAgain = applied?.kind === 'confirm'
  const isBack = undone?.kind === 'undone' || undone?.kind === 'unchanged'
  return (
    <Dialog
      open
      onClose={onClose}
      title={`${item.title}: ${item.applies === 'pin' ? 'pin a rule' : 'the setting behind it'}`}
      shape="wide"
    >
      <div className="flex flex-col gap-3">
        {tuning !== null && !isApplied && <Picks tuning={tuning} pick={pick} onChoose={choose} />}
        {offer === null ? (
          <p role="status" className="text-muted">
            Reading the settings and the newest sessions …
          </p>
        ) : (
          <Offer offer={offer} pin={pin} onPin={setPin} />
        )}
        {offer?.kind === 'setting' && (
          <ForeseenBlock subject={subjectId} finding={finding} pick={pick} seen={offer.seen} />
        )}
        {applied !== null && undone === null && <Applied answer={applied} />}
        {undone !== null && <TakenBack answer={undone} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Close</Button>
          {offer?.kind === 'setting' && !isApplied && (
            <Button
              kind={isAskedAgain ? 'plain' : 'primary'}
              disabled={busy}
              onClick={() => apply(offer.seen, isAskedAgain)}
            >
              {changeLabel(isAskedAgain, busy, offer.measured.length > 0)}
            </Button>
          )}
          {offer?.kind === 'pin' && !isApplied && (
            <Button kind="primary" disabled={busy || pin === null} onClick={() => pin !== null && apply(pin)}>
              {busy ? 'Writing …' : 'Write this line'}
            </Button>
          )}
          {isApplied && !isBack && (
            <Button disabled={busy} onClick={() => takeBack(applied.receipt)}>
              {busy ? 'Taking it back …' : 'Take it back'}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  )
}

function changeLabel(isAskedAgain: boolean, busy: boolean, isPick: boolean): string {
  if (!busy) return isAskedAgain ? 'Change the file all the same' : 'Change the file'
  return isPick && !isAskedAgain ? 'Replaying, then writing …' : 'Writing …'
}

/** What a tuning found for the sessions of a finding, beside what the finding itself says. */
function Picks({
  tuning,
  pick,
  onChoose,
}: {
  tuning: TunedChoice
  pick: PickName | null
  onChoose: (pick: PickName | null) => void
}) {
  return (
    <div className="flex flex-col gap-2 rounded-md border border-line p-3 text-table">
      <p className="isolate-text max-w-[90ch] break-words">
        <HostileText text={tuning.words} />
      </p>
      {tuning.picks.length > 0 && (
        <fieldset className="flex flex-wrap gap-2">
          <legend className="sr-only">Which values are tried</legend>
          {[null, ...tuning.picks].map((one) => (
            <Button
              key={one ?? 'finding'}
              kind={one === pick ? 'primary' : 'plain'}
              aria-pressed={one === pick}
              onClick={() => onChoose(one)}
            >
              {one === null ? 'As the finding says' : `Tuned: ${one}`}
            </Button>
          ))}
        </fieldset>
      )}
    </div>
  )
}

function Offer({
  offer,
  pin,
  onPin,
}: {
  offer: RemedyOffer
  pin: string | null
  onPin: (seen: string) => void
}) {
  switch (offer.kind) {
    case 'refused':
      return <ErrorState title="It cannot be worked out" detail={offer.problem} />
    case 'none':
      return <Sentences head="This cannot be cured from here." lines={offer.why} />
    case 'pin':
      return <PinChoice offer={offer} chosen={pin} onChoose={onPin} />
    case 'command':
      return (
        <>
          <Sentences head={offer.words} lines={offer.others} />
          <code className="isolate-text break-all">{offer.command}</code>
        </>
      )
    case 'setting':
      return (
        <>
          <p className="isolate-text max-w-[80ch] break-words">
            <HostileText text={`${offer.changes.join('; ')}, in ${offer.file}`} />
          </p>
          <pre className="isolate-text rounded-md border border-line bg-inset p-3 text-label break-words whitespace-pre-wrap">
            <HostileText text={offer.diff.join('\n')} />
          </pre>
          <Sentences head={offer.why} lines={[...offer.measured, ...offer.tried]} />
          {offer.assumed.length > 0 && (
            <ul className="list-disc pl-5 text-table text-muted">
              {offer.assumed.map((one) => (
                <li key={one}>{`Assumed: ${one}.`}</li>
              ))}
            </ul>
          )}
        </>
      )
  }
}

function Sentences({ head, lines }: { head: string; lines: readonly string[] }) {
  return (
    <div className="flex max-w-[90ch] flex-col gap-1 text-table">
      <p>{head}</p>
      {lines.map((line) => (
        <p key={line} className="isolate-text break-words text-muted">
          <HostileText text={line} />
        </p>
      ))}
    </div>
  )
}

function Applied({ answer }: { answer: AppliedAnswer }) {
  switch (answer.kind) {
    case 'refused':
      return <ErrorState title="Nothing was changed" detail={answer.problem} />
    case 'confirm':
      return <ErrorState title={answer.title} detail={answer.words} />
    case 'unchanged':
      return (
        <p role="status" className="text-table text-muted">
          Nothing changed: the file holds that value already.
        </p>
      )
    case 'applied':
      return (
        <p role="status" className="max-w-[90ch] text-table text-ok">
          {[
            `Written, with a backup and the receipt ${answer.receipt}.`,
            answer.watch === ''
              ? 'Whether it helps shows in no call.'
              : `The page Findings shows whether it helps, by ${answer.watch}.`,
            ...answer.notes,
          ].join(' ')}
        </p>
      )
  }
}
