'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState, useTransition } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { FilterInput, FilterSelect } from '@/components/ui/filter-inputs'
import { PageLink } from '@/components/ui/page-link'
import type { ExperimentSpec, ReplayChoice } from '@/lib/core/replay/experiment-spec'
import type { LabSources } from '@/lib/view/lab/lab-page'
import { labAddress } from '@/lib/view/lab/lab-place'
import { formatQuantity } from '@/lib/view/text/format'
import { useLabActions } from './lab-actions'
import { chosenQuery } from './lab-queries'
import { PolicyChoices } from './policy-choices'

const KINDS = [
  ['replay', 'Compare policies', 'Each of the chosen ones over each session.'],
  [
    'tune',
    'Look for a better one',
    'Some two hundred settings are tried; the best are measured on sessions that the search never saw.',
  ],
] as const

/** A new experiment: which sessions, and which policies are compared, or that a better one is looked for. */
export function ExperimentForm({ sources, session }: { sources: LabSources; session: string | null }) {
  const router = useRouter()
  const { begin } = useLabActions()
  const [kind, setKind] = useState<ExperimentSpec['kind']>('replay')
  const [store, setStore] = useState('')
  const [agent, setAgent] = useState('')
  const [since, setSince] = useState('')
  const [one, setOne] = useState(session)
  const [name, setName] = useState('')
  const [policies, setPolicies] = useState<readonly string[]>(
    sources.policies.filter(({ isUsual }) => isUsual).map(({ id }) => id),
  )
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, start] = useTransition()
  const from = since === '' ? Number.NaN : Date.parse(since)
  const choice: ReplayChoice = {
    stores: store === '' ? [] : [store],
    agents: agent === '' ? [] : [agent],
    ids: one === null ? [] : [one],
    since: Number.isNaN(from) ? null : from,
  }
  const chosen = useQuery(chosenQuery(choice))

  function run() {
    start(async () => {
      const answer = await begin(name, { kind, sessions: choice, policies: kind === 'tune' ? [] : policies })
      if (answer.kind === 'started') router.push(labAddress({ experiment: answer.experiment }))
      else setProblem(answer.problem)
    })
  }

  if (sources.sessions === 0) return <NoSessions />
  const none = chosen.data?.sessions === 0
  return (
    <Card title="New experiment">
      <form action={run} className="flex flex-col gap-5">
        <Part title="Sessions">
          <div className="flex flex-wrap items-center gap-2">
            <FilterSelect label="Store" value={store} options={sources.stores} onChange={setStore} />
            <FilterSelect
              label="Agent"
              value={agent}
              options={sources.agents.map((value) => ({ value, label: value }))}
              onChange={setAgent}
            />
            <FilterInput label="Written to since" type="date" value={since} onChange={setSince} />
            {one !== null && <Button onClick={() => setOne(null)}>One session alone: take all</Button>}
          </div>
          <p role="status" className="tnum text-table text-muted">
            {chosen.isError
              ? chosen.error.message
              : chosen.data === undefined
                ? 'Counting …'
                : none
                  ? 'No session is like that.'
                  : `${formatQuantity(chosen.data.sessions, 'session')} will be replayed.`}
          </p>
        </Part>
        <Part title="What to find out">
          {KINDS.map(([value, label, about]) => (
            <label key={value} className="flex items-start gap-2 text-table">
              <input
                type="radio"
                name="kind"
                className="mt-0.5"
                checked={kind === value}
                onChange={() => setKind(value)}
              />
              <span>
                <span className="font-medium">{label}</span>
                <span className="block text-label text-muted">{about}</span>
              </span>
            </label>
          ))}
        </Part>
        {kind === 'replay' && (
          <PolicyChoices options={sources.policies} chosen={policies} onChosen={setPolicies} />
        )}
        <div className="flex flex-wrap items-end gap-3">
          <label className="flex min-w-0 flex-1 basis-56 flex-col gap-1 text-table">
            Name
            <input
              value={name}
              maxLength={120}
              placeholder="by what is compared"
              onChange={(event) => setName(event.target.value)}
              className="h-8 w-full rounded-md border border-line-strong bg-surface px-2.5 text-table"
            />
          </label>
          <Button
            kind="primary"
            type="submit"
            disabled={busy || none || (kind === 'replay' && policies.length === 0)}
          >
            {busy ? 'Starting …' : kind === 'tune' ? 'Tune' : 'Replay'}
          </Button>
        </div>
        {problem !== null && <ErrorState title="It was not started" detail={problem} />}
      </form>
    </Card>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-label font-medium text-muted">{title}</legend>
      {children}
    </fieldset>
  )
}

function NoSessions() {
  return (
    <Card>
      <EmptyState title="There is no session to replay">
        <p>
          The lab replays policies over sessions that were recorded, and none with a call was read yet.{' '}
          <PageLink href="/stores" className="text-accent underline">
            Stores
          </PageLink>{' '}
          says where they were looked for.
        </p>
      </EmptyState>
    </Card>
  )
}
