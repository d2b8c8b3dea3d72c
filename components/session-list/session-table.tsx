'use client'

import { classes } from '@/components/ui/classes'
import { SortGlyph } from '@/components/ui/glyphs'
import { useMedia } from '@/components/ui/use-media'
import {
  chooseSort,
  type SessionListPage,
  type SessionListParams,
  type SessionSort,
  sortBy,
} from '@/lib/view/session-list/session-list'
import type { ChooseSessions } from './choose-sessions'
import { SESSION_COLUMNS, type SessionColumn } from './session-columns'
import { SessionRows } from './session-rows'

/** Heights of a row in pixels, by width of the screen and by whether a line of found text is in it. */
const HEIGHTS = { wide: 36, wideFound: 58, narrow: 64, narrowFound: 84 } as const

/** The list as a table whose rows are made as they come into view. */
export function SessionTable({
  params,
  shown,
  first,
  onChoose,
  empty,
}: {
  params: SessionListParams
  /** What `first` answers: what was chosen before, until the answer to `params` is there. */
  shown: SessionListParams
  first: SessionListPage
  onChoose: ChooseSessions
  /** Said when there is no row. */
  empty: string
}) {
  const narrow = useMedia('(max-width: 839px)', false)
  const searching = shown.q.trim() !== ''
  const height = HEIGHTS[narrow ? (searching ? 'narrowFound' : 'narrow') : searching ? 'wideFound' : 'wide']
  return (
    <div className="min-w-0 rounded-card border border-line bg-surface">
      <NarrowSort params={params} onChoose={onChoose} />
      <table
        aria-rowcount={first.total + 1}
        className="w-full table-fixed border-separate border-spacing-0 text-table [overflow-anchor:none]"
      >
        <caption className="sr-only">Sessions</caption>
        <thead className="max-md:sr-only">
          <tr aria-rowindex={1}>
            {SESSION_COLUMNS.map((column) => (
              <ColumnHead key={column.label} column={column} params={params} onChoose={onChoose} />
            ))}
          </tr>
        </thead>
        {first.total > 0 && <SessionRows key={height} params={shown} first={first} height={height} />}
      </table>
      {first.total === 0 && <p className="px-4 py-6 text-muted">{empty}</p>}
    </div>
  )
}

function ColumnHead({
  column,
  params,
  onChoose,
}: {
  column: SessionColumn
  params: SessionListParams
  onChoose: ChooseSessions
}) {
  const { sort } = column
  const sorted = sort !== null && params.sort === sort
  return (
    <th
      scope="col"
      aria-sort={sorted ? (params.direction === 'asc' ? 'ascending' : 'descending') : undefined}
      className={classes(
        'sticky top-(--bar-height) z-5 h-9 border-b border-line bg-surface px-1.5 text-label font-normal text-muted',
        'first:rounded-tl-card first:pl-4 last:rounded-tr-card last:pr-4',
        column.numeric ? 'text-right' : 'text-left',
        column.width,
        column.shown,
      )}
    >
      {sort === null ? (
        column.label
      ) : (
        <button
          type="button"
          onClick={() => onChoose((now) => sortBy(now, sort))}
          className={classes(
            'inline-flex items-center gap-0.5 rounded-sm hover:text-text',
            sorted && 'font-medium text-text',
          )}
        >
          {column.label}
          {sorted && <SortGlyph direction={params.direction} />}
        </button>
      )}
    </th>
  )
}

/** On narrow screens there are no column heads to press. */
function NarrowSort({ params, onChoose }: { params: SessionListParams; onChoose: ChooseSessions }) {
  return (
    <div className="flex items-center gap-2 border-b border-line px-4 py-1.5 text-label text-muted md:hidden">
      <label className="flex items-center gap-2">
        Order
        <select
          value={params.sort}
          onChange={({ target }) => onChoose((now) => chooseSort(now, target.value as SessionSort))}
          className="h-8 rounded-md border border-line bg-surface px-2 text-table text-text"
        >
          {params.q.trim() !== '' && <option value="relevance">Relevance</option>}
          {SESSION_COLUMNS.map(
            (column) =>
              column.sort && (
                <option key={column.sort} value={column.sort}>
                  {column.label}
                </option>
              ),
          )}
        </select>
      </label>
      {params.sort !== 'relevance' && (
        <button
          type="button"
          onClick={() => onChoose((now) => ({ ...now, direction: now.direction === 'asc' ? 'desc' : 'asc' }))}
          className="inline-flex h-8 items-center gap-1 rounded-md px-2 text-table text-text hover:bg-inset"
        >
          <SortGlyph direction={params.direction} />
          {params.direction === 'asc' ? 'ascending' : 'descending'}
        </button>
      )}
    </div>
  )
}
