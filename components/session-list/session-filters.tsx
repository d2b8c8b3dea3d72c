'use client'

import { Button } from '@/components/ui/button'
import { ExportLinks } from '@/components/ui/export-links'
import { SearchField } from '@/components/ui/search-field'
import {
  DEFAULT_LIST_PARAMS,
  type Facet,
  isFiltered,
  listQuery,
  type SessionListFacets,
  type SessionListPage,
  type SessionListParams,
  searchFor,
} from '@/lib/view/session-list/session-list'
import { formatQuantity } from '@/lib/view/text/format'
import type { ChooseSessions } from './choose-sessions'

/** Search and filters above the list. */
export function SessionFilters({
  params,
  facets,
  summary,
  loading,
  onChoose,
}: {
  params: SessionListParams
  facets: SessionListFacets
  summary: SessionListPage | undefined
  loading: boolean
  onChoose: ChooseSessions
}) {
  return (
    <search className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
      <SearchField
        name="q"
        value={params.q}
        label="Search sessions"
        placeholder="Search names and content"
        onSearch={(text) => onChoose((now) => searchFor(now, text))}
      />
      <Choice
        label="Runtime"
        value={params.kind}
        options={facets.kinds}
        onChange={(kind) => onChoose((now) => ({ ...now, kind }))}
      />
      <Choice
        label="Store"
        value={params.store}
        options={facets.stores}
        onChange={(store) => onChoose((now) => ({ ...now, store }))}
      />
      <Choice
        label="Agent"
        value={params.agent}
        options={facets.agents}
        onChange={(agent) => onChoose((now) => ({ ...now, agent }))}
      />
      <Choice
        label="Model"
        value={params.model}
        options={facets.models}
        onChange={(model) => onChoose((now) => ({ ...now, model }))}
      />
      <Choice
        label="State"
        value={params.state}
        options={facets.states}
        onChange={(state) => onChoose((now) => ({ ...now, state }))}
      />
      {isFiltered(params) && (
        <Button
          kind="quiet"
          onClick={() =>
            onChoose(({ sort, direction }) => ({
              ...DEFAULT_LIST_PARAMS,
              ...(sort === 'relevance' ? {} : { sort, direction }),
            }))
          }
        >
          Clear
        </Button>
      )}
      <p role="status" className="tnum text-label text-muted sm:ml-auto">
        {summary && !loading ? countWords(summary, params) : 'reading …'}
      </p>
      <ExportLinks address="/api/sessions/export" query={listQuery(params)} />
    </search>
  )
}

function countWords(page: SessionListPage, { copies, agents, state, tool }: SessionListParams): string {
  // With copies among them they are transcripts: several make one session.
  const count = formatQuantity(
    page.total,
    [copies, agents, state, tool].every((one) => one === null) ? 'session' : 'transcript',
  )
  return page.cut ? `the best ${count}` : count
}

function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string | null
  options: readonly Facet[]
  onChange: (value: string | null) => void
}) {
  // A value from the address stays visible even when no session has it.
  const missing = value !== null && !options.some((option) => option.value === value)
  return (
    <select
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || null)}
      className="h-8 min-w-0 rounded-md border border-line bg-surface px-2 text-table sm:max-w-44"
    >
      <option value="">{`${label}: all`}</option>
      {missing && <option value={value}>{value}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {`${option.label} (${option.count})`}
        </option>
      ))}
    </select>
  )
}
