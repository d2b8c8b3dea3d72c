'use client'

import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { useState } from 'react'
import { useAsOf } from '@/components/live/use-as-of'
import { Card } from '@/components/ui/card'
import { ErrorState } from '@/components/ui/error-state'
import { FilterSelect } from '@/components/ui/filter-inputs'
import { replaceAddress } from '@/components/ui/replace-address'
import { useSettled } from '@/components/ui/use-settled'
import type { DropSetting } from '@/lib/core/logs/what-if'
import {
  type CutoffParams,
  type CutoffView,
  cutoffQueryText,
  parseCutoffParams,
} from '@/lib/view/activity/cutoff'
import { formatCount, formatQuantity } from '@/lib/view/text/format'
import { AdviceCard } from './advice-card'
import { ChangedList } from './changed-list'
import { CurveCard } from './curve-card'
import { cutoffQuery } from './cutoff-query'
import { CutoffTable } from './cutoff-table'
import { CutoffTrialCard } from './cutoff-trial-card'
import { SettingInputs } from './setting-inputs'

/** A slider is followed when it rests. Milliseconds. */
const REST_MS = 120

/** What another cut-off and keep threshold would have made of what was dropped, and of whole sessions. */
export function CutoffScreen({
  initial,
  asOf,
}: {
  initial: { readonly params: CutoffParams; readonly view: CutoffView }
  asOf: number | null
}) {
  const search = useSearchParams()
  const params = parseCutoffParams((name) => search.get(name))
  const settled = useSettled(cutoffQueryText(params), REST_MS)
  const asked = parseCutoffParams((name) => new URLSearchParams(settled).get(name))
  const isPainted = cutoffQueryText(asked) === cutoffQueryText(initial.params)
  const query = useQuery({ ...cutoffQuery(asked), initialData: isPainted ? initial.view : undefined })
  useAsOf(['activity', 'cut-off'], asOf)
  const [moving, setMoving] = useState<CutoffParams | null>(null)
  const view = query.data ?? initial.view
  const shown = moving ?? params
  const before = shown.before ?? view.inForce
  const after = shown.after ?? view.inForce

  const choose = (change: Partial<CutoffParams>) => {
    const next = { ...shown, ...change }
    setMoving(next)
    replaceAddress(`/activity/cut-off${cutoffQueryText(next)}`)
  }
  const set = (name: 'before' | 'after') => (setting: DropSetting) => choose({ [name]: setting })

  return (
    <>
      <search className="flex flex-wrap items-center gap-2">
        <FilterSelect
          label="Session"
          value={params.session}
          options={view.sessions}
          onChange={(session) => choose({ session })}
        />
        <p role="status" className="tnum text-label text-muted sm:ml-auto">
          {query.isPlaceholderData ? 'reckoning …' : basisWords(view)}
        </p>
      </search>
      {query.isError && <ErrorState title="It could not be reckoned" detail={query.error.message} />}
      <div className="grid gap-4 lg:grid-cols-2">
        <Card
          title="The thresholds"
          note="at or below the cut-off a chunk is dropped, from keep on it stays, between it is summarised"
        >
          <div className="grid gap-4 sm:grid-cols-2">
            <SettingInputs name="Before" setting={before} onChange={set('before')} />
            <SettingInputs name="After" setting={after} onChange={set('after')} />
          </div>
        </Card>
        <AdviceCard advice={view.advice} onTake={(cutoff) => choose({ after: { ...before, cutoff } })} />
      </div>
      {view.drops === 0 ? (
        <Card>
          <p className="max-w-[80ch] text-muted">
            No drop is logged{params.session === '' ? '' : ' for this session'}, so that there is nothing to
            judge yet. The trial below needs no logs: it goes through transcripts as they were recorded.
          </p>
        </Card>
      ) : (
        <>
          <div className="grid gap-4 lg:grid-cols-2">
            <CurveCard view={view} />
            <CutoffTable view={view} />
          </div>
          <ChangedList view={view} />
        </>
      )}
      <CutoffTrialCard params={{ ...shown, before, after }} onFrom={(from) => choose({ from })} />
    </>
  )
}

function basisWords({ drops, logged, needsKnown }: CutoffView): string {
  const judged =
    drops < logged
      ? `the newest ${formatCount(drops)} of ${formatQuantity(logged, 'drop')}`
      : formatQuantity(drops, 'drop')
  return `${judged}; of ${formatCount(needsKnown)} the later needs are known`
}
