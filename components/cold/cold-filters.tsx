import { Button } from '@/components/ui/button'
import { FilterInput, FilterSelect, type Filters } from '@/components/ui/filter-inputs'
import { SearchField } from '@/components/ui/search-field'
import { type ColdParams, type ColdView, coldQueryText, NO_COLD_PARAMS } from '@/lib/view/cold/cold-storage'
import { formatCount, formatQuantity } from '@/lib/view/text/format'
import { visibleLine } from '@/lib/view/text/visible-text'

const EXPIRED = [
  { value: 'with', label: 'Expired: shown, too' },
  { value: 'only', label: 'Expired: nothing else' },
] as const

/** Search and filters above the list; all of it is in the address. */
export function ColdFilters({ params, view, loading, onChoose }: Filters<ColdParams, ColdView>) {
  const isFiltered = coldQueryText({ ...params, page: 1 }) !== ''
  return (
    <search className="flex flex-wrap items-center gap-2">
      <SearchField
        value={params.q}
        label="Search cold storage"
        placeholder="Search what was dropped"
        onSearch={(q) => onChoose({ q })}
      />
      <FilterSelect
        label="Reason"
        value={params.reason}
        options={view.reasons.map(({ name, count }) => ({
          value: name,
          label: `${visibleLine(name)} (${formatCount(count)})`,
        }))}
        onChange={(reason) => onChoose({ reason })}
      />
      <FilterSelect
        label="Expired"
        value={params.expired}
        options={EXPIRED}
        all="left out"
        onChange={(expired) => onChoose({ expired: expired === 'with' || expired === 'only' ? expired : '' })}
      />
      <FilterInput
        label="Score from"
        type="number"
        step={0.05}
        value={params.min}
        onChange={(min) => onChoose({ min })}
      />
      <FilterInput
        label="to"
        type="number"
        step={0.05}
        value={params.max}
        onChange={(max) => onChoose({ max })}
      />
      <FilterInput
        label="Dropped from"
        type="date"
        value={params.since}
        onChange={(since) => onChoose({ since })}
      />
      <FilterInput label="up to" type="date" value={params.until} onChange={(until) => onChoose({ until })} />
      {params.session !== '' && (
        <Button kind="plain" onClick={() => onChoose({ session: '' })} className="max-w-full">
          <span className="truncate">{`Session ${params.session}`}</span>
          <span aria-hidden="true">×</span>
          <span className="sr-only">(show all sessions)</span>
        </Button>
      )}
      {isFiltered && (
        <Button kind="quiet" onClick={() => onChoose(NO_COLD_PARAMS)}>
          Clear
        </Button>
      )}
      <p role="status" className="tnum text-label text-muted sm:ml-auto">
        {loading ? 'reading …' : countWords(params, view)}
      </p>
    </search>
  )
}

function countWords({ page }: ColdParams, { total, rows, hasMore }: ColdView): string {
  if (total !== null) return formatQuantity(total, 'chunk')
  return hasMore || page > 1 ? 'the best first' : `${formatQuantity(rows.length, 'chunk')} found`
}
