'use client'

import { useQuery } from '@tanstack/react-query'
import { type FindingActions, FindingActionsContext } from '@/components/findings/finding-actions'
import { useAsOf } from '@/components/live/use-as-of'
import { ErrorState } from '@/components/ui/error-state'
import { PageLink } from '@/components/ui/page-link'
import type { LabView } from '@/lib/view/lab/lab-page'
import { type LabPlace, labAddress } from '@/lib/view/lab/lab-place'
import { ASSUMPTION } from '@/lib/view/lab/result-words'
import { ExperimentForm } from './experiment-form'
import { ExperimentsCard } from './experiments-card'
import { type LabActions, LabActionsContext } from './lab-actions'
import { labQuery } from './lab-queries'
import { LabResult } from './lab-result'
import { OpenExperimentView } from './open-experiment'

/** How often the page asks how far a run is. Milliseconds. */
const ASK_MS = 1_000

/** Policies replayed over recorded sessions: a new experiment, those that were made, and the one that is open. */
export function LabScreen({
  initial,
  place,
  asOf,
  actions,
  findings,
}: {
  initial: LabView
  place: LabPlace
  /** Revision of the database before `initial` was read. */
  asOf: number | null
  actions: LabActions
  /** What applies a pick as a remedy. */
  findings: FindingActions
}) {
  const options = labQuery(labAddress(place).slice('/lab'.length))
  const query = useQuery({
    ...options,
    initialData: initial,
    refetchInterval: ({ state }) => (state.data?.open?.job?.open === true ? ASK_MS : false),
  })
  useAsOf(options.queryKey, asOf)
  const { sources, experiments, open, missing } = query.data
  return (
    <LabActionsContext value={actions}>
      <p className="max-w-[90ch] text-table text-muted">
        {`What would another policy have kept, lost and cost on your own sessions? Each is replayed over what was recorded, ${ASSUMPTION}. Nothing is written to a store. `}
        <PageLink href="/help#lab" className="text-accent underline">
          How it is reckoned
        </PageLink>
      </p>
      {query.isError && <ErrorState title="The lab could not be read again" detail={query.error.message} />}
      {missing && (
        <ErrorState
          title="This experiment is not there"
          detail="It was deleted, or made in another state folder."
        />
      )}
      <div className="flex flex-col gap-4 lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(260px,320px)] lg:items-start">
        <div className="flex min-w-0 flex-col gap-4">
          {open === null ? (
            <ExperimentForm key={place.session} sources={sources} session={place.session} />
          ) : (
            <OpenExperimentView key={open.id} experiment={open} />
          )}
        </div>
        <ExperimentsCard experiments={experiments} open={open?.id ?? null} />
      </div>
      {open?.outcome != null && (
        <FindingActionsContext value={findings}>
          <LabResult experiment={open.id} outcome={open.outcome} />
        </FindingActionsContext>
      )}
    </LabActionsContext>
  )
}
