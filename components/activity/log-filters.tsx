import { Button } from '@/components/ui/button'
import { FilterInput, FilterSelect, type Filters } from '@/components/ui/filter-inputs'
import { SearchField } from '@/components/ui/search-field'
import { LOG_KINDS } from '@/lib/core/logs/log-kinds'
import {
  type ActivityParams,
  type ActivityView,
  activityQueryText,
  LOG_WORDS,
  NO_ACTIVITY_PARAMS,
} from '@/lib/view/activity/activity'
import { formatCount, formatQuantity } from '@/lib/view/text/format'

/** What the charts and rows are of. The charts are of all logs, whichever is chosen for the rows. */
export function LogFilters({ params, view, loading, onChoose }: Filters<ActivityParams, ActivityView>) {
  return (
    <search className="flex flex-wrap items-center gap-2">
      <SearchField
        value={params.q}
        label="Search the logs"
        placeholder="Search lines"
        onSearch={(q) => onChoose({ q })}
      />
      <FilterSelect
        label="Log"
        value={params.kind}
        options={LOG_KINDS.map((kind) => ({
          value: kind,
          label: `${LOG_WORDS[kind]} (${formatCount(view.summary.lines[kind])})`,
        }))}
        onChange={(kind) => onChoose({ kind: LOG_KINDS.find((known) => known === kind) ?? '' })}
      />
      <FilterSelect
        label="Session"
        value={params.session}
        options={view.sessions}
        onChange={(session) => onChoose({ session })}
      />
      <FilterInput label="From" type="date" value={params.since} onChange={(since) => onChoose({ since })} />
      <FilterInput label="up to" type="date" value={params.until} onChange={(until) => onChoose({ until })} />
      {activityQueryText({ ...params, page: 1 }) !== '' && (
        <Button kind="quiet" onClick={() => onChoose(NO_ACTIVITY_PARAMS)}>
          Clear
        </Button>
      )}
      <p role="status" className="tnum text-label text-muted sm:ml-auto">
        {loading ? 'reading …' : formatQuantity(view.total, 'line')}
      </p>
    </search>
  )
}
