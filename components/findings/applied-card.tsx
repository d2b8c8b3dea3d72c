'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { HostileText } from '@/components/entry/hostile-text'
import { Badge, type Tone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ErrorState } from '@/components/ui/error-state'
import { PageLink } from '@/components/ui/page-link'
import { Skeleton } from '@/components/ui/skeleton'
import { Moment } from '@/components/ui/time'
import type { AppliedItem, EffectItem } from '@/lib/view/findings/applied-remedies'
import { EFFECTS_QUERY } from './effects-query'
import { TakeBackDialog } from './take-back-dialog'

const VERDICTS: { readonly [V in EffectItem['verdict']]: readonly [words: string, tone: Tone] } = {
  helped: ['helped', 'ok'],
  worse: ['worse', 'danger'],
  'no-difference': ['no difference', 'neutral'],
  'not-enough': ['not enough data yet', 'neutral'],
  'not-measured': ['not measured', 'neutral'],
}

/** Settings that were applied for findings: whether each helped, with its numbers, and the way back. */
export function AppliedCard({ applied }: { applied: readonly AppliedItem[] }) {
  const effects = useQuery({ ...EFFECTS_QUERY, enabled: applied.length > 0 })
  const [chosen, setChosen] = useState<AppliedItem | null>(null)
  if (applied.length === 0) return null
  return (
    <Card
      flush
      title="What was changed, and whether it helped"
      note="The same measure over comparable calls before and after; the newest change first"
    >
      {effects.isError && (
        <div className="px-4 pb-2">
          <ErrorState title="It could not be measured" detail={effects.error.message} />
        </div>
      )}
      <ul aria-label="Applied settings">
        {applied.map((item) => (
          <AppliedRow
            key={item.receipt}
            item={item}
            effect={effects.data?.find(({ receipt }) => receipt === item.receipt) ?? null}
            isMeasuring={effects.isPending}
            onTakeBack={() => setChosen(item)}
          />
        ))}
      </ul>
      {chosen !== null && <TakeBackDialog item={chosen} onClose={() => setChosen(null)} />}
    </Card>
  )
}

function AppliedRow({
  item: { title, change, file, at, undoneAt, receipt },
  effect,
  isMeasuring,
  onTakeBack,
}: {
  item: AppliedItem
  effect: EffectItem | null
  isMeasuring: boolean
  onTakeBack: () => void
}) {
  const [words, tone] = effect === null ? [null, 'neutral' as const] : VERDICTS[effect.verdict]
  return (
    <li className="flex flex-col gap-1.5 border-t border-line px-4 py-3" data-receipt={receipt}>
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        {words !== null && <Badge tone={tone}>{words}</Badge>}
        <h3 className="font-medium">{title}</h3>
        <code className="isolate-text min-w-0 text-table break-all">
          <HostileText text={change} />
        </code>
        <span className="ml-auto text-label whitespace-nowrap text-muted">
          <Moment at={at} />
        </span>
      </div>
      {effect === null ? (
        isMeasuring && (
          <div role="status" className="flex items-center gap-2 text-table text-muted">
            Comparing calls before and after …
            <Skeleton className="h-3 w-24" />
          </div>
        )
      ) : (
        <p className="max-w-[100ch] text-table">{effect.sentence}</p>
      )}
      {effect?.problems.map((problem) => (
        <p key={problem} className="isolate-text max-w-[100ch] text-label break-words text-muted">
          <HostileText text={problem} />
        </p>
      ))}
      {effect?.takeBack === true && (
        <p role="alert" className="max-w-[100ch] text-table text-danger">
          It has been worse for three days. Take it back.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-table text-muted">
        {undoneAt === null ? (
          <Button kind={effect?.takeBack === true ? 'primary' : 'quiet'} onClick={onTakeBack}>
            Take it back …
          </Button>
        ) : (
          <span>
            Taken back <Moment at={undoneAt} />
          </span>
        )}
        <code className="isolate-text min-w-0 text-label break-all">{file}</code>
        <PageLink href="/audit" className="text-accent hover:underline">
          Audit
        </PageLink>
      </div>
    </li>
  )
}
