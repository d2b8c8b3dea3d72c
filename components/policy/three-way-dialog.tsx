'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { classes } from '@/components/ui/classes'
import { Dialog } from '@/components/ui/dialog'
import { scrollRegion } from '@/components/ui/table'
import { withoutSecrets } from '@/lib/view/policy/policy-secrets'
import { mergeThreeWay, type ThreeWayPart, threeWay } from '@/lib/view/policy/three-way'
import { formatQuantity } from '@/lib/view/text/format'

type Side = 'mine' | 'theirs'

/**
 * A file that another hand changed since it was opened: what was, what you made of it, what is there now. Changes
 * in different places go together; where both changed the same lines, the operator has to say which are right.
 */
export function ThreeWayDialog({
  file,
  base,
  mine,
  theirs,
  onTake,
  onClose,
}: {
  file: string
  base: string
  mine: string
  theirs: string
  /** Goes on with this text, from the file as it is now. */
  onTake: (text: string) => void
  onClose: () => void
}) {
  const [choices, setChoices] = useState<{ readonly [part: number]: Side }>({})
  const parts = threeWay(base, mine, theirs)
  const covered = threeWay(
    ...([base, mine, theirs].map((text) => withoutSecrets(text, file)) as [string, string, string]),
  )
  // Covering may make different secrets look the same; then the parts would not match.
  const shown = covered.length === parts.length ? covered : parts
  const conflicts = parts.flatMap((part, i) => (part.kind === 'conflict' ? [i] : []))
  const open = conflicts.filter((i) => choices[i] === undefined).length
  const merged = mergeThreeWay(parts, (i) => choices[i] ?? null)
  return (
    <Dialog open onClose={onClose} title="Changed by another hand" shape="wide">
      <div className="flex flex-col gap-4">
        <p className="text-table">
          <code className="isolate-text">{file}</code>
          {' was changed since you opened it. Nothing was written. '}
          {conflicts.length === 0
            ? 'Both changes fit together.'
            : `Both of you changed the same lines in ${formatQuantity(conflicts.length, 'place')}: choose whose are right.`}
        </p>
        <div
          {...scrollRegion('The file in three versions')}
          className="max-h-[55dvh] overflow-auto rounded-md border border-line"
        >
          <table className="w-full min-w-[720px] table-fixed border-collapse text-label">
            <caption className="sr-only">The file in three versions</caption>
            <thead className="sticky top-0 z-1 bg-surface text-muted shadow-[0_1px_0_var(--line)]">
              <tr className="[&>th]:px-2 [&>th]:py-1.5 [&>th]:text-left [&>th]:font-medium">
                <th scope="col">When you opened it</th>
                <th scope="col">Yours</th>
                <th scope="col">As it is now</th>
              </tr>
            </thead>
            <tbody className="font-mono text-[12.5px] leading-[20px]">
              {shown.map((part, i) => (
                <Part
                  key={`${part.line} ${part.kind}`}
                  part={part}
                  choice={choices[i] ?? null}
                  onChoose={(side) => setChoices({ ...choices, [i]: side })}
                />
              ))}
            </tbody>
          </table>
        </div>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Go on editing</Button>
          <Button onClick={() => onTake(theirs)}>Take theirs, drop mine</Button>
          <Button kind="primary" disabled={merged === null} onClick={() => merged !== null && onTake(merged)}>
            {open === 0 ? 'Put both together' : `${formatQuantity(open, 'choice')} to make`}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

const AROUND = 2

function Part({
  part,
  choice,
  onChoose,
}: {
  part: ThreeWayPart
  choice: Side | null
  onChoose: (side: Side) => void
}) {
  if (part.kind === 'same') {
    const long = part.base.length > 2 * AROUND + 1
    const lines = long
      ? [
          ...part.base.slice(0, AROUND),
          `… ${part.base.length - 2 * AROUND} lines …`,
          ...part.base.slice(-AROUND),
        ]
      : part.base
    return (
      <tr className="align-top text-muted">
        {(['base', 'mine', 'theirs'] as const).map((side) => (
          <Cell key={side} lines={lines} />
        ))}
      </tr>
    )
  }
  const conflict = part.kind === 'conflict'
  const taken = (side: Side) => (conflict ? choice === side : part.kind === side || part.kind === 'both')
  return (
    <tr className="border-y border-line align-top" data-part={part.kind}>
      <Cell lines={part.base} className="bg-inset" />
      {(['mine', 'theirs'] as const).map((side) => (
        <Cell
          key={side}
          lines={part[side]}
          className={classes(taken(side) ? 'bg-ok-soft' : conflict && 'bg-attention-soft')}
          head={
            conflict && (
              <label className="flex items-center gap-1.5 pb-1 font-sans">
                <input
                  type="radio"
                  name={`part ${part.line}`}
                  checked={choice === side}
                  onChange={() => onChoose(side)}
                  className="accent-(--accent)"
                />
                {side === 'mine' ? 'Take yours' : 'Take theirs'}
              </label>
            )
          }
        />
      ))}
    </tr>
  )
}

function Cell({
  lines,
  className,
  head,
}: {
  lines: readonly string[]
  className?: string
  head?: React.ReactNode
}) {
  return (
    <td className={classes('px-2 py-0.5', className)}>
      {head}
      <pre className="overflow-x-auto whitespace-pre-wrap">{lines.length === 0 ? '∅' : lines.join('\n')}</pre>
    </td>
  )
}
