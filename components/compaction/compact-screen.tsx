'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { UndoAction } from '@/components/audit/undo-dialog'
import { SourceDrawer } from '@/components/entry/source-drawer'
import { jobQuery } from '@/components/jobs/jobs-query'
import { useAsOf } from '@/components/live/use-as-of'
import { StoreAsksCard } from '@/components/policy/store-asks-card'
import { policyQuery } from '@/components/session/session-queries'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { FigureText } from '@/components/ui/figure'
import { Later } from '@/components/ui/later'
import { Moment } from '@/components/ui/time'
import type { ChunkAction } from '@/lib/core/compaction/plan'
import { type PendingView, type PlanView, pendingSentence } from '@/lib/view/compaction/compact-plan'
import type { CompactionStatus } from '@/lib/view/compaction/compaction-status'
import { type PlanKnobs, planKey, planKnobsSearch } from '@/lib/view/compaction/plan-knobs'
import type { CancelAction, StartAnswer } from '@/lib/view/jobs/job-answers'
import type { SessionPolicy } from '@/lib/view/policy/policy-trial'
import type { StoreAsksShown } from '@/lib/view/policy/store-asks'
import { visibleLine } from '@/lib/view/text/visible-text'
import { ChunkList } from './chunk-list'
import { planQuery } from './compact-queries'
import { CompareCard } from './compare-card'
import { DigestCard } from './digest-card'
import { KnobsCard } from './knobs-card'
import { LaterNeedsCard } from './later-needs-card'
import { PlanCard } from './plan-card'
import { ResultCard } from './result-card'
import { RunBar } from './run-bar'
import { useKnobsAddress } from './use-knobs-address'

/** A wish to apply a plan that was shown. */
export type StartCompaction = (request: {
  readonly session: string
  readonly name: string
  readonly knobs: string
  readonly firstKept: string
}) => Promise<StartAnswer>

/** The plan, and beside it the policy and knobs that it follows; the way to apply it, its result, and the way back. */
export function CompactScreen({
  id,
  name,
  initial,
  policy,
  status,
  asks,
  pending,
  knobs: firstKnobs,
  job: firstJob,
  asOf,
  start,
  cancel,
  undo,
}: {
  id: string
  name: string
  initial: PlanView
  policy: SessionPolicy
  status: CompactionStatus
  /** What the session's store asks for and the operator decides. */
  asks: StoreAsksShown
  /** The summary of its last compaction, where no model wrote it yet; else null. */
  pending: PendingView | null
  knobs: PlanKnobs
  job: string | null
  /** Revision of the database before `initial` was read. */
  asOf: number | null
  start: StartCompaction
  cancel: CancelAction
  undo: UndoAction
}) {
  const [{ knobs, job }, change] = useKnobsAddress({ knobs: firstKnobs, job: firstJob })
  const [firstKey] = useState(planKey(firstKnobs))
  const [action, setAction] = useState<ChunkAction | null>(null)
  const [entry, setEntry] = useState<number | null>(null)
  const [digestOpen, setDigestOpen] = useState(false)
  const [begun, setBegun] = useState<string | null>(null)
  const [asked, setAsked] = useState(knobs)
  const options = planQuery(id, asked)
  const query = useQuery({ ...options, ...(planKey(asked) === firstKey ? { initialData: initial } : {}) })
  // A knob that is dragged asks at once, and again with its newest value when the answer is there.
  if (asked !== knobs && !query.isFetching) setAsked(knobs)
  useAsOf(options.queryKey, asOf)
  const inForce = useQuery({ ...policyQuery(id), initialData: policy }).data
  const running = useJob(job, id)
  // Where it has written, the plan was for what is no longer so: its result is in its place.
  const written = running.data?.receipt?.entry.state
  const wrote = running.data?.open === false && written !== undefined && written !== 'undone'
  const plan = query.data ?? initial
  const stale = query.isPlaceholderData || asked !== knobs
  // The list follows the plan that is on the screen, so that it never keeps the next one waiting.
  const [listed, setListed] = useState(asked)
  if (listed !== asked && !query.isPlaceholderData) setListed(asked)

  async function run(firstKept: string): Promise<StartAnswer> {
    const answer = await start({
      session: id,
      name: name.slice(0, 200),
      knobs: planKnobsSearch(knobs),
      firstKept,
    })
    if (answer.kind === 'started') {
      setBegun(answer.job)
      change({ job: answer.job })
    }
    return answer
  }

  return (
    <>
      {running.data && (
        <ResultCard
          key={running.data.id}
          id={id}
          job={running.data}
          wrote={wrote}
          focus={begun === running.data.id}
          cancel={cancel}
          undo={undo}
          onClose={() => change({ job: null })}
        />
      )}
      {running.isError && <ErrorState title="The job cannot be shown" detail={running.error.message} />}
      {pending !== null && (
        <Card title="A summary is pending">
          <p className="isolate-text max-w-[80ch] text-table break-words" data-testid="pending">
            {'No model wrote the summary of the compaction '}
            <Moment at={pending.at} />
            {`; a digest has its place. ${visibleLine(pendingSentence(pending))}`}
          </p>
        </Card>
      )}
      <StoreAsksCard {...asks} />
      {query.isError && <ErrorState title="The plan could not be made" detail={query.error.message} />}
      {!wrote && (
        <>
          <div className="flex flex-col gap-4 lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(300px,340px)] lg:items-start">
            <div className="flex min-w-0 flex-col gap-4">
              {plan.kind === 'plan' ? (
                <PlanCard plan={plan} stale={stale} action={action} onAction={setAction} />
              ) : (
                <Nothing plan={plan} />
              )}
              <CompareCard
                id={id}
                knobs={knobs}
                onKnobs={(changes) => change({ knobs: { ...knobs, ...changes } })}
              />
              {plan.kind === 'plan' && (
                <Later>
                  <DigestCard
                    id={id}
                    knobs={listed}
                    open={digestOpen}
                    source={plan.summary.source}
                    onToggle={() => setDigestOpen(!digestOpen)}
                    onSource={setEntry}
                  />
                  {plan.call !== 'next' && <LaterNeedsCard id={id} knobs={listed} onSource={setEntry} />}
                  <ChunkList id={id} knobs={listed} action={action} onAction={setAction} onOpen={setEntry} />
                </Later>
              )}
            </div>
            <KnobsCard
              inForce={inForce}
              knobs={knobs}
              window={plan.window}
              calls={plan.calls}
              asked={plan.asked}
              couldAsk={plan.couldAsk}
              onKnobs={(changes) => change({ knobs: { ...knobs, ...changes } })}
            />
          </div>
          <RunBar
            id={id}
            initial={status}
            plan={stale ? null : plan}
            busy={running.data?.open ?? false}
            past={knobs.call !== null}
            focus={knobs.focus}
            run={run}
          />
        </>
      )}
      <SourceDrawer
        id={id}
        seq={entry}
        call={plan.call === 'next' ? plan.calls : plan.call}
        onClose={() => setEntry(null)}
      />
    </>
  )
}

function Nothing({ plan }: { plan: Extract<PlanView, { kind: 'nothing' }> }) {
  return (
    <Card>
      <EmptyState title={plan.sentence.replace(/\.$/, '')}>
        <p data-testid="nothing">
          The context holds <FigureText figure={plan.tokensBefore} unit="tokens" />. Nothing would change;
          move the knobs to keep less word for word.
        </p>
      </EmptyState>
    </Card>
  )
}

/** The job that was begun from here. Once it has ended, or was taken back, the plan is made again. */
function useJob(id: string | null, session: string) {
  const client = useQueryClient()
  const query = useQuery({ ...jobQuery(id ?? ''), enabled: id !== null })
  const ended = query.data !== undefined && !query.data.open
  const undone = query.data?.receipt?.entry.state === 'undone'
  // The outside system is the store, which a job that has ended, or was taken back, leaves changed.
  useEffect(() => {
    if (ended || undone) void client.invalidateQueries({ queryKey: ['session', session] })
  }, [ended, undone, client, session])
  return query
}
