'use client'

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { UndoAction } from '@/components/audit/undo-dialog'
import { JobItem } from '@/components/jobs/job-item'
import { jobQuery } from '@/components/jobs/jobs-query'
import { useAsOf } from '@/components/live/use-as-of'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import type { CancelAction, StartAnswer } from '@/lib/view/jobs/job-answers'
import type { CleanupAnswer, CleanupWishes } from '@/lib/view/maintenance/cleanup'
import type { DatabaseView, FolderView, MaintenanceView } from '@/lib/view/maintenance/maintenance'
import type { MaintenanceTrial } from '@/lib/view/maintenance/maintenance-trial'
import { DatabaseCard } from './database-card'
import { FolderCard } from './folder-card'
import { LimitsCard } from './limits-card'
import { maintenanceQuery } from './maintenance-query'
import { useTrialAddress } from './use-trial-address'

/** A dry run that is to be applied. */
export type StartMaintenance = (request: {
  readonly store: string
  readonly folder: string
  readonly name: string
  readonly trial: MaintenanceTrial
  readonly fingerprint: string
}) => Promise<StartAnswer>

/** OpenClaw's own maintenance of one database: its dry run, and the change. */
export type DatabaseActions = {
  readonly preview: (
    request: CleanupWishes & { readonly store: string; readonly database: string },
  ) => Promise<CleanupAnswer>
  readonly start: (
    request: CleanupWishes & {
      readonly store: string
      readonly database: string
      readonly name: string
      readonly fingerprint: string
    },
  ) => Promise<StartAnswer>
}

/** What a store's own limits would remove, other limits to try, and the way to carry a plan out. */
export function MaintenanceScreen({
  initial,
  trial: first,
  job: firstJob,
  asOf,
  start,
  databases,
  cancel,
  undo,
}: {
  initial: MaintenanceView
  /** What the address tried when the page was made, and the job it names. */
  trial: MaintenanceTrial
  job: string | null
  /** Revision of the database before `initial` was read. */
  asOf: number | null
  start: StartMaintenance
  databases: DatabaseActions
  cancel: CancelAction
  undo: UndoAction
}) {
  const [{ trial, job }, change] = useTrialAddress({ trial: first, job: firstJob })
  const [firstTrial] = useState(first)
  const { id } = initial.store
  const options = maintenanceQuery(id, trial)
  const query = useQuery({
    ...options,
    placeholderData: keepPreviousData,
    ...(trial === firstTrial ? { initialData: initial } : {}),
  })
  useAsOf(options.queryKey, asOf)
  const view = query.data ?? initial
  const running = useJob(job, id)

  async function run(folder: FolderView, fingerprint: string): Promise<StartAnswer> {
    const answer = await start({
      store: id,
      folder: folder.folder,
      name: `${view.store.title}, ${folder.name}`.slice(0, 200),
      trial,
      fingerprint,
    })
    if (answer.kind === 'started') change({ job: answer.job })
    return answer
  }

  async function clean(
    { database, name }: DatabaseView,
    wishes: CleanupWishes,
    fingerprint: string,
  ): Promise<StartAnswer> {
    const named = `${view.store.title}, ${name}`.slice(0, 200)
    const answer = await databases.start({ ...wishes, store: id, database, name: named, fingerprint })
    if (answer.kind === 'started') change({ job: answer.job })
    return answer
  }

  return (
    <>
      <header className="min-w-0">
        <h2 className="text-title">{`Maintenance of ${view.store.title}`}</h2>
        <code className="isolate-text text-label break-all text-muted">{view.store.root}</code>
      </header>
      {query.isError && <ErrorState title="The dry run could not be made" detail={query.error.message} />}
      {running.data && (
        <Card title="Result" flush>
          <JobItem job={running.data} cancel={cancel} undo={undo} />
        </Card>
      )}
      {running.isError && <ErrorState title="The job cannot be shown" detail={running.error.message} />}
      {view.databases.map((database) => (
        <DatabaseCard
          key={database.database}
          database={database}
          busy={running.data?.open ?? false}
          ask={(wishes) => databases.preview({ ...wishes, store: id, database: database.database })}
          onRun={(wishes, fingerprint) => clean(database, wishes, fingerprint)}
        />
      ))}
      {view.databases.length > 0 ? null : view.readOnly === null ? (
        <>
          <LimitsCard view={view} trial={trial} onTry={(next) => change({ trial: next })} />
          {view.folders.map((folder) => (
            <FolderCard
              key={folder.folder}
              folder={folder}
              mode={view.mode?.value ?? 'warn'}
              busy={running.data?.open ?? false}
              onRun={run}
            />
          ))}
          {view.folders.length === 0 && (
            <Card>
              <EmptyState title="This store has no sessions folder to put in order" />
            </Card>
          )}
        </>
      ) : (
        <Card>
          <EmptyState title="Plimsoll does not maintain this store">
            <p className="isolate-text">{capital(view.readOnly)}</p>
          </EmptyState>
        </Card>
      )}
    </>
  )
}

/** The job that was begun from here. Once it has ended, the dry run is made again. */
function useJob(id: string | null, store: string) {
  const client = useQueryClient()
  const query = useQuery({ ...jobQuery(id ?? ''), enabled: id !== null })
  const ended = query.data !== undefined && !query.data.open
  const undone = query.data?.receipt?.entry.state === 'undone'
  // The outside system is the store, which a job that has ended, or was taken back, leaves changed.
  useEffect(() => {
    if (ended || undone) void client.invalidateQueries({ queryKey: ['stores', store, 'maintenance'] })
  }, [ended, undone, client, store])
  return query
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
