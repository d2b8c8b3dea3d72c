'use client'

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useEffect, useRef, useState } from 'react'
import { useAsOf } from '@/components/live/use-as-of'
import { Card } from '@/components/ui/card'
import { classes } from '@/components/ui/classes'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { Later } from '@/components/ui/later'
import { Skeleton } from '@/components/ui/skeleton'
import { useSettled } from '@/components/ui/use-settled'
import { draftLadder, runtimeLadder } from '@/lib/view/charts/chart-ladder'
import type { SessionPolicy } from '@/lib/view/policy/policy-trial'
import type { Composition } from '@/lib/view/session/composition'
import type { ContextTabData } from '@/lib/view/session/context-tab'
import { clampCall, rangeShowing } from '@/lib/view/session/scrub'
import { type ContextSelection, DEFAULT_SELECTION } from '@/lib/view/session/session-selection'
import { formatCount, formatQuantity } from '@/lib/view/text/format'
import { SourceDrawer } from '../entry/source-drawer'
import { AgentsCard } from './agents-card'
import { ContextList } from './context-list'
import { FollowBar } from './follow-bar'
import { RecallCard } from './recall-card'
import { contextQuery, entryQuery, framesQuery, summaryQuery } from './session-queries'
import { SteppedComposition } from './stepped-composition'
import { useCallKeys } from './use-call-keys'
import { useComposition } from './use-composition'
import { useSelection } from './use-selection'
import { useTrial } from './use-trial'
import { WindowCard } from './window-card'

// What reads and writes policy files is a fifth of the page's scripts; most visits try no policy.
const PolicyPanel = dynamic(() => import('./policy-panel').then((module) => module.PolicyPanel), {
  loading: () => <Skeleton className="h-96 w-full" />,
})

/**
 * The list of entries waits until the scrubber has kept still for so long: longer than a pointer that is dragged (16 ms) or
 * a key that is held (about 33 ms) keeps still, and short beside the 150 ms in which a click is to be answered.
 */
const SETTLE_MS = 50

/** A step after a pause of so long is a single one, and the list follows it at once. Longer than a slow browser's steps. */
const PAUSE_MS = 150

/** The Context tab: the window over calls, one of them taken apart, and what the model saw at it. */
export function ContextTab({
  initial,
  policy: inForce,
  selection: chosen,
  asOf,
}: {
  initial: ContextTabData
  policy: SessionPolicy
  selection: ContextSelection
  /** Revision of the database before `initial` was read. */
  asOf: number | null
}) {
  const { id } = initial.summary.head
  useAsOf(['session', id], asOf)
  const [selection, select] = useSelection(chosen)
  const summary = useQuery({ ...summaryQuery(id), initialData: initial.summary }).data
  const { head } = summary
  const all = useQuery({ ...framesQuery(id, null), initialData: initial.all })
  const zoomed = useQuery({
    ...framesQuery(id, selection.range),
    enabled: selection.range !== null,
    placeholderData: keepPreviousData,
    ...(isSame(selection.range, chosen.range) && initial.zoomed ? { initialData: initial.zoomed } : {}),
  })
  const trial = useTrial(id, inForce, selection.policy)
  const call = clampCall(selection.call ?? head.calls, head.calls)
  const { composition, stale, error } = useComposition(id, call, head.calls, initial)
  const settled = useSettled(call, SETTLE_MS, PAUSE_MS)
  // Unfiltered and in order: what the list shows at first, so mostly the same request.
  const whole = useQuery({
    ...contextQuery(id, settled, DEFAULT_SELECTION, 0),
    enabled: head.calls > 0,
  }).data
  const [seen, setSeen] = useState(head.calls)
  const client = useQueryClient()
  const scrubbedAt = useRef(Number.NEGATIVE_INFINITY)

  const series = selection.range === null ? all.data : (zoomed.data ?? all.data)
  // Made here and not where it is passed on: with another ladder the whole chart is drawn again, and a step of the
  // scrubber makes all anew that depends on the call.
  const ladder = selection.policy === null ? runtimeLadder(trial.inForce.runtime) : draftLadder(trial.policy)

  function scrub(to: number) {
    const now = performance.now()
    // Asked for before the step is drawn, so that its answer is on the way meanwhile.
    if (now - scrubbedAt.current >= PAUSE_MS) void client.prefetchQuery(contextQuery(id, to, selection, 0))
    scrubbedAt.current = now
    if (selection.call === null) setSeen(head.calls)
    const range = selection.range && rangeShowing(selection.range, to, head.calls)
    select({ call: to, range })
  }

  function open(entry: number) {
    // Asked for before the dialog is drawn, which takes as long as the answer.
    void client.prefetchQuery(entryQuery(id, entry, false))
    select({ entry })
  }

  useCallKeys(call, head.calls, scrub)

  // While the last call is followed, a stretch that is zoomed to moves along with it.
  const { range } = selection
  const following = selection.call === null
  useEffect(() => {
    if (!following || range === null) return
    const moved = rangeShowing(range, head.calls, head.calls)
    if (moved !== range) select({ range: moved })
  }, [following, range, head.calls, select])

  const failure = all.error ?? zoomed.error ?? error
  return (
    <>
      {failure && <ErrorState title="This session could not be read again" detail={failure.message} />}
      {head.calls === 0 ? (
        <Card title="Window over calls">
          <EmptyState
            title={head.entries === head.unreadable ? 'Nothing that could be read' : 'No model call yet'}
          >
            <p>
              {head.entries === head.unreadable
                ? 'Nothing of this transcript could be read, so what was sent is unknown.'
                : `This transcript has ${formatQuantity(head.entries - head.unreadable, 'entry', 'entries')} and no answer of a model. Frames appear with the first call.`}
            </p>
          </EmptyState>
        </Card>
      ) : (
        <>
          <FollowBar
            call={call}
            calls={head.calls}
            following={following}
            fresh={following ? 0 : Math.max(0, head.calls - seen)}
            onFollow={() => select({ call: null })}
            onPin={() => scrub(call)}
            onStep={scrub}
          />
          <div
            className={classes(
              'grid items-start gap-4',
              selection.policy !== null && 'lg:grid-cols-[minmax(0,1fr)_minmax(280px,340px)]',
            )}
          >
            <WindowCard
              summary={summary}
              all={all.data}
              series={series}
              call={call}
              valueText={valueText(call, head.calls, stale ? null : composition)}
              selection={selection}
              ladder={ladder}
              onSelect={select}
              onScrub={scrub}
              onPick={(picked, category) => {
                scrub(picked)
                if (category !== undefined) select({ category })
              }}
            />
            {selection.policy !== null && (
              <div className="min-w-0 lg:col-start-2 lg:row-span-2 lg:row-start-1">
                <PolicyPanel
                  trial={trial}
                  base={selection.policy}
                  window={head.window?.tokens ?? trial.policy.window.default}
                  series={all.data}
                  onBase={(policy) => select({ policy })}
                />
              </div>
            )}
            <div className="grid min-w-0 items-start gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
              {composition && (
                <div className="min-w-0">
                  <Later>
                    <SteppedComposition
                      composition={composition}
                      stale={stale}
                      context={whole ?? null}
                      head={head}
                      category={selection.category}
                      onCategory={(category) => select({ category })}
                      onOpen={open}
                    />
                  </Later>
                </div>
              )}
              <ContextList id={id} call={settled} selection={selection} onSelect={select} onOpen={open} />
            </div>
          </div>
          <Later>
            <RecallCard id={id} />
          </Later>
        </>
      )}
      {summary.agents !== null && <AgentsCard tree={summary.agents} />}
      <SourceDrawer id={id} seq={selection.entry} call={settled} onClose={() => select({ entry: null })} />
    </>
  )
}

function isSame(a: ContextSelection['range'], b: ContextSelection['range']): boolean {
  return a?.from === b?.from && a?.to === b?.to
}

/** What the scrubber says to readers who do not see it. */
function valueText(call: number, calls: number, composition: Composition | null): string {
  const place = `call ${formatCount(call)} of ${formatCount(calls)}`
  if (!composition) return place
  const { value, basis } = composition.total
  return value === null ? `${place}, size unknown` : `${place}, ${formatCount(value)} tokens, ${basis}`
}
