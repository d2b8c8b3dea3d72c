'use client'

import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fetchJson } from '@/components/live/read-json'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { CheckGlyph, CrossGlyph } from '@/components/ui/glyphs'
import { PageLink } from '@/components/ui/page-link'
import { LoadingNote, Skeleton } from '@/components/ui/skeleton'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { PolicySources } from '@/lib/core/policy/effective'
import { type EffectiveView, effectiveView, type PolicySession } from '@/lib/view/policy/policy-effective'
import { runtimeView } from '@/lib/view/policy/policy-runtime-view'
import { formatCount, formatQuantity } from '@/lib/view/text/format'
import { visibleLine } from '@/lib/view/text/visible-text'
import { FitCard } from './fit-card'
import { RegionsStrip } from './regions-strip'
import { SessionPicker } from './session-picker'

/** What decides about the policy of a session. */
function policySessionQuery(id: string) {
  return queryOptions({
    queryKey: ['policy-session', id] as const,
    queryFn: ({ signal }) =>
      fetchJson<PolicySession>(`/api/policies/sessions/${encodeURIComponent(id)}`, signal),
  })
}

/** The policy of one session, as the files on this screen make it: every value with where it comes from. */
export function EffectiveTab({
  session,
  sourcesFor,
  unsaved,
  onSession,
}: {
  session: string | null
  /** The files that speak for a session, with what is not saved yet. */
  sourcesFor: (session: PolicySession) => PolicySources
  unsaved: boolean
  onSession: (id: string) => void
}) {
  const query = useQuery({ ...policySessionQuery(session ?? ''), enabled: session !== null })
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,320px)_minmax(0,1fr)]">
      <Card title="Whose policy">
        <SessionPicker chosen={session} onChoose={onSession} />
      </Card>
      <div className="flex min-w-0 flex-col gap-4">
        {session === null && (
          <Card title="In force">
            <EmptyState title="Choose a session">
              <p>
                You see what its runtime really does, and beside it the draft that your files make: its agent,
                channel, model and store decide which parts of them apply.
              </p>
            </EmptyState>
          </Card>
        )}
        {session === null && <FitCard session={null} />}
        {query.isError && <ErrorState title="This session could not be read" detail={query.error.message} />}
        {session !== null && query.isPending && (
          <Card title="In force">
            <LoadingNote what="the policy of this session" />
            <Skeleton className="h-40 w-full" />
          </Card>
        )}
        {query.data && session !== null && (
          <InForce
            session={query.data}
            view={effectiveView(sourcesFor(query.data), query.data)}
            unsaved={unsaved}
          />
        )}
      </div>
    </div>
  )
}

const VERDICTS = {
  ok: null,
  warn: 'Runs in this window are warned about: it is small.',
  block: 'Runs in this window are refused: it is too small.',
} as const

function InForce({
  session,
  view,
  unsaved,
}: {
  session: PolicySession
  view: EffectiveView
  unsaved: boolean
}) {
  const verdict = VERDICTS[view.verdict]
  return (
    <>
      <RuntimeCard session={session} />
      <FitCard session={session.id} />
      <Card
        title="Your draft for it"
        note={
          <>
            What your files would make of it; it governs nothing until it is applied
            {unsaved && <span className="text-accent"> · with what is not saved yet</span>}
          </>
        }
      >
        <div className="flex flex-col gap-3">
          {verdict !== null && <p className="text-table text-attention">{verdict}</p>}
          <Facts facts={view.facts} />
          <div>
            <RegionsStrip regions={view.regions} lines={view.lines} window={view.window} />
            <p className="tnum text-label text-muted">
              {view.lines.map((line) => line.label).join(' · ') || 'no load line'}
            </p>
          </div>
        </div>
      </Card>
      <div className="grid items-start gap-4 md:grid-cols-2">
        <Card flush title="Layers" note="Weakest first; later ones win">
          <ol className="flex flex-col text-table">
            {view.layers.map((layer) => (
              <li
                key={`${layer.level} ${layer.label}`}
                className="flex items-baseline gap-2 border-t border-line px-4 py-1.5"
              >
                <Badge>{layer.level}</Badge>
                <span className="isolate-text min-w-0 flex-1">{layer.label}</span>
                <span className="tnum text-label text-muted">{formatQuantity(layer.values, 'value')}</span>
              </li>
            ))}
          </ol>
        </Card>
        <Card flush title="Overrides" note="Of your own file, in its order">
          {view.overrides.length === 0 ? (
            <p className="px-4 pb-3 text-table text-muted">None.</p>
          ) : (
            <ul className="flex flex-col text-table">
              {view.overrides.map(({ n, key, match, applies }) => (
                <li key={n} className="flex items-center gap-2 border-t border-line px-4 py-1.5">
                  <span className={applies ? 'text-ok' : 'text-muted'}>
                    {applies ? <CheckGlyph /> : <CrossGlyph />}
                  </span>
                  <span className="min-w-0 flex-1">
                    {`${key} `}
                    <code className="isolate-text">{match}</code>
                  </span>
                  <span className="text-label text-muted">{applies ? 'applies' : 'does not apply'}</span>
                </li>
              ))}
            </ul>
          )}
        </Card>
      </div>
      <EffectiveValues view={view} />
    </>
  )
}

/** What the runtime of the session really does: nothing of ours is in it. */
function RuntimeCard({ session }: { session: PolicySession }) {
  const view = runtimeView(session)
  return (
    <Card
      title={<span className="isolate-text">{session.title}</span>}
      note={visibleLine(
        [session.place, session.subject.model, session.storeLabel].filter(Boolean).join(' · '),
      )}
      aside={
        <PageLink
          href={`/sessions/${session.id}`}
          className="text-table text-accent underline underline-offset-2"
        >
          Open session
        </PageLink>
      }
    >
      <div className="flex flex-col gap-3" data-testid="runtime-policy">
        <p className="isolate-text text-table">
          {`In force: what ${view.name} does${view.files.length === 0 ? '' : `, by ${view.files.join(', ')}`}`}
        </p>
        <Facts facts={view.facts} />
        <div>
          <RegionsStrip regions={[]} lines={view.lines} window={view.window} />
          <p className="tnum text-label text-muted">
            {view.lines.map((line) => line.label).join(' · ') || 'no line: it compacts only when asked'}
          </p>
        </div>
        {view.settings.length > 0 && (
          <ul aria-label="What the settings say" className="text-label text-muted">
            {view.settings.map((words) => (
              <li key={words} className="isolate-text">{`set: ${words}`}</li>
            ))}
          </ul>
        )}
        {view.assumed.length > 0 && (
          <ul aria-label="What is assumed" className="text-label text-muted">
            {view.assumed.map((reason) => (
              <li key={reason} className="isolate-text">{`assumed: ${reason}`}</li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  )
}

function Facts({ facts }: Pick<EffectiveView, 'facts'>) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 md:grid-cols-5">
      {facts.map((fact) => (
        <div key={fact.label} className="min-w-0">
          <dt className="text-label text-muted">{fact.label}</dt>
          <dd>
            <span className="tnum text-title font-medium">{fact.value}</span>
            {fact.note !== null && <span className="block text-label text-muted">{fact.note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function EffectiveValues({ view }: { view: EffectiveView }) {
  const [level, setLevel] = useState('set')
  const rows = view.rows.filter((row) =>
    level === 'all' ? true : level === 'set' ? row.level !== 'default' : row.level === level,
  )
  return (
    <Card
      flush
      title="Every value, and where it comes from"
      note={`${formatCount(rows.length)} of ${formatQuantity(view.rows.length, 'value')}`}
      aside={
        <select
          aria-label="Which values are shown"
          value={level}
          onChange={(event) => setLevel(event.target.value)}
          className="h-8 rounded-md border border-line bg-surface px-2 text-table"
        >
          <option value="set">Not the default</option>
          <option value="all">All values</option>
          {[...new Set(view.rows.map((row) => row.level))].map((option) => (
            <option key={option} value={option}>{`From: ${option}`}</option>
          ))}
        </select>
      }
    >
      {rows.length === 0 ? (
        <p className="px-4 pb-3 text-table text-muted">Every value is the default.</p>
      ) : (
        <Table caption="Values of the draft with their origin">
          <thead>
            <tr>
              <Th>Value</Th>
              <Th numeric>Set to</Th>
              <Th>Level</Th>
              <Th>From</Th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Tr key={row.path}>
                <Th scope="row">
                  {`${row.group}: ${row.label}`}
                  <code className="isolate-text block text-label text-muted">{row.path}</code>
                </Th>
                <Td numeric>{row.value}</Td>
                <Td>
                  <Badge>{row.level}</Badge>
                </Td>
                <Td>
                  <span className="isolate-text">{row.origin}</span>
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  )
}
