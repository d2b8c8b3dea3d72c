'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { TrialCard } from '@/components/compaction/trial-card'
import { SourceDrawer } from '@/components/entry/source-drawer'
import { useAsOf } from '@/components/live/use-as-of'
import { policyQuery } from '@/components/session/session-queries'
import { ErrorState } from '@/components/ui/error-state'
import { writeQuerySoon } from '@/components/ui/write-query'
import { valueAt } from '@/lib/core/policy/resolve'
import { type SessionPolicy, trialPolicy } from '@/lib/view/policy/policy-trial'
import { PRUNE_KNOBS, type PruneKnobs, pruneKnobsSearch } from '@/lib/view/pruning/prune-knobs'
import type { PruneTextRow, PruneView } from '@/lib/view/pruning/prune-preview'
import { pruneQuery } from './prune-queries'
import { RulesCard } from './rules-card'
import { TextList } from './text-list'

/** What rules of pruning would take out of what is sent, alone and together, beside the knobs that they go by. */
export function PruneScreen({
  id,
  initial,
  policy: firstPolicy,
  knobs: firstKnobs,
  asOf,
}: {
  id: string
  initial: PruneView
  policy: SessionPolicy
  knobs: PruneKnobs
  /** Revision of the database before `initial` was read. */
  asOf: number | null
}) {
  const [knobs, setKnobs] = useState(firstKnobs)
  const [firstSearch] = useState(pruneKnobsSearch(firstKnobs))
  const [action, setAction] = useState<PruneTextRow['action'] | null>('clear')
  const [entry, setEntry] = useState<number | null>(null)
  const [asked, setAsked] = useState(knobs)
  // The outside system is the address bar.
  useEffect(() => writeQuerySoon(pruneKnobsSearch(knobs)), [knobs])
  const options = pruneQuery(id, asked)
  const isFirst = pruneKnobsSearch(asked) === firstSearch
  const query = useQuery({ ...options, ...(isFirst ? { initialData: initial } : {}) })
  // A knob that is dragged asks at once, and again with its newest value when the answer is there.
  if (asked !== knobs && !query.isFetching) setAsked(knobs)
  useAsOf(options.queryKey, asOf)
  const inForce = useQuery({ ...policyQuery(id), initialData: firstPolicy }).data
  const view = query.data ?? initial
  const base = trialPolicy(inForce.policy, knobs.base, {})
  const change = (path: string, value: unknown) => {
    const { [path]: _before, ...others } = knobs.changes
    const changes = valueAt(base, path) === value ? others : { ...others, [path]: value }
    setKnobs({ ...knobs, changes })
  }
  return (
    <>
      {query.isError && <ErrorState title="The preview could not be made" detail={query.error.message} />}
      <div className="flex flex-col gap-4 lg:grid lg:grid-cols-[minmax(300px,360px)_minmax(0,1fr)] lg:items-start">
        <div className="contents lg:order-2 lg:flex lg:min-w-0 lg:flex-col lg:gap-4">
          <RulesCard
            view={view}
            policy={trialPolicy(inForce.policy, knobs.base, knobs.changes)}
            stale={query.isPlaceholderData || asked !== knobs}
            action={action}
            onAction={setAction}
            onChange={change}
          />
          <TextList id={id} knobs={asked} action={action} onAction={setAction} onOpen={setEntry} />
        </div>
        <TrialCard
          list={PRUNE_KNOBS}
          inForce={inForce}
          knobs={knobs}
          window={view.window}
          calls={view.calls}
          onKnobs={(changes) => setKnobs({ ...knobs, ...changes })}
          onChange={change}
        />
      </div>
      <SourceDrawer
        id={id}
        seq={entry}
        call={view.call === 'next' ? view.calls : view.call}
        onClose={() => setEntry(null)}
      />
    </>
  )
}
