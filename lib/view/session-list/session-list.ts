import type { Milliseconds } from '../../core/units/units'
import { addressQuery } from '../text/address-query'
import type { Cost } from '../text/cost'
import type { SnippetPart } from '../text/snippet'
import type { FillFacts } from './fill'

/** What the list of sessions can be ordered by; `relevance` only while something is searched for. */
const SESSION_SORTS = [
  'updated',
  'name',
  'agent',
  'channel',
  'model',
  'fill',
  'calls',
  'compactions',
  'cost',
  'relevance',
] as const

export type SessionSort = (typeof SESSION_SORTS)[number]
type SortDirection = 'asc' | 'desc'

/** What the address of the list says. Null and '' mean: no restriction. */
export type SessionListParams = {
  readonly q: string
  /** A runtime. */
  readonly kind: string | null
  readonly store: string | null
  readonly agent: string | null
  readonly model: string | null
  readonly state: string | null
  /** Public id of a transcript whose session is shown alone, with its copies. */
  readonly copies: string | null
  /** Public id of a session that is shown alone, with its sub-agents. */
  readonly agents: string | null
  /** Only transcripts in which this tool was used. */
  readonly tool: string | null
  readonly sort: SessionSort
  readonly direction: SortDirection
}

/** One session in the list; plain data, the meter is made where it is drawn. */
export type SessionListRow = {
  readonly id: string
  readonly title: string
  readonly agent: string | null
  readonly channel: string | null
  readonly model: string | null
  readonly store: string
  /** Whose session it is. */
  readonly kind: string
  /** Made up by the demo's generator. */
  readonly demo: boolean
  readonly state: string
  readonly problem: string | null
  readonly fill: FillFacts
  readonly calls: number
  readonly compactions: number
  readonly unreadable: number
  /** Archives, backups and checkpoints of this session that the list folds under it. */
  readonly copies: number
  /** Sub-agents of this session that the list folds under it. */
  readonly agents: number
  readonly cost: Cost
  readonly updatedAt: Milliseconds | null
  /** Where the search found something, what is around it, and in how many entries there is something. */
  readonly found: {
    readonly seq: number
    readonly parts: readonly SnippetPart[]
    readonly entries: number
  } | null
}

/** One window of the list. `cut` says that a search found more sessions than are listed. */
export type SessionListPage = {
  readonly offset: number
  readonly rows: readonly SessionListRow[]
  readonly total: number
  readonly cut: boolean
}

export type Facet = { readonly value: string; readonly label: string; readonly count: number }

/** What the filters can be set to. */
export type SessionListFacets = {
  readonly kinds: readonly Facet[]
  readonly stores: readonly Facet[]
  readonly agents: readonly Facet[]
  readonly models: readonly Facet[]
  readonly states: readonly Facet[]
}

/** Rows in one window: more than a large screen shows, and few enough to travel with the page. */
export const SESSION_PAGE_ROWS = 50

/** Longer searches are cut: no person types them, and each word costs. */
const MAX_QUERY = 200

/** Directions in which a column is read first: newest, fullest and dearest on top, names from A. */
const FIRST_DIRECTION: { readonly [S in SessionSort]: SortDirection } = {
  updated: 'desc',
  name: 'asc',
  agent: 'asc',
  channel: 'asc',
  model: 'asc',
  fill: 'desc',
  calls: 'desc',
  compactions: 'desc',
  cost: 'desc',
  relevance: 'desc',
}

/** What each state of a transcript is called, and what it means. */
export const STATE_LABELS: { readonly [state: string]: { readonly label: string; readonly about: string } } =
  {
    live: { label: 'live', about: 'the runtime appends to it' },
    reset: { label: 'reset', about: 'archived when the session was reset' },
    deleted: { label: 'deleted', about: 'archived when the session was deleted' },
    backup: { label: 'backup', about: 'a copy the runtime made' },
    checkpoint: { label: 'checkpoint', about: 'a copy from before a compaction' },
    imported: { label: 'imported', about: 'moved into a newer store' },
    gone: {
      label: 'gone',
      about: 'no longer in its store; what was read is kept, and its texts where the archive has them',
    },
  }

export const DEFAULT_LIST_PARAMS: SessionListParams = {
  q: '',
  kind: null,
  store: null,
  agent: null,
  model: null,
  state: null,
  copies: null,
  agents: null,
  tool: null,
  sort: 'updated',
  direction: 'desc',
}

/** Reads an address. Anything that makes no sense is left out rather than refused: addresses are typed and shared. */
export function parseListParams(read: (name: string) => string | null): SessionListParams {
  const q = (read('q') ?? '').slice(0, MAX_QUERY)
  const wanted = SESSION_SORTS.find((sort) => sort === read('sort'))
  const fallback: SessionSort = q.trim() === '' ? 'updated' : 'relevance'
  const sort = wanted === undefined || (wanted === 'relevance' && q.trim() === '') ? fallback : wanted
  const direction = read('dir')
  return {
    q,
    kind: read('runtime') || null,
    store: read('store') || null,
    agent: read('agent') || null,
    model: read('model') || null,
    state: read('state') || null,
    copies: read('copies') || null,
    agents: read('agents') || null,
    tool: read('tool') || null,
    sort,
    direction: direction === 'asc' || direction === 'desc' ? direction : FIRST_DIRECTION[sort],
  }
}

/** The address's query, with what is the default left out; '' or beginning with `?`. */
export function listQuery(params: SessionListParams): string {
  const search = new URLSearchParams()
  if (params.q.trim() !== '') search.set('q', params.q)
  if (params.kind !== null) search.set('runtime', params.kind)
  for (const name of ['store', 'agent', 'model', 'state', 'copies', 'agents', 'tool'] as const) {
    const value = params[name]
    if (value !== null) search.set(name, value)
  }
  const fallback: SessionSort = params.q.trim() === '' ? 'updated' : 'relevance'
  if (params.sort !== fallback) search.set('sort', params.sort)
  if (params.direction !== FIRST_DIRECTION[params.sort]) search.set('dir', params.direction)
  return addressQuery(search)
}

/** What a click on a column's heading leads to: the other direction, or that column in its first direction. */
export function sortBy(params: SessionListParams, sort: SessionSort): SessionListParams {
  if (params.sort !== sort) return chooseSort(params, sort)
  return { ...params, direction: params.direction === 'asc' ? 'desc' : 'asc' }
}

/**
 * What a choice in a list of columns leads to: that column in its first direction. A choice that is made before the
 * page's scripts are there can come twice (early-fields.ts), so the one that is made already changes nothing.
 */
export function chooseSort(params: SessionListParams, sort: SessionSort): SessionListParams {
  return params.sort === sort ? params : { ...params, sort, direction: FIRST_DIRECTION[sort] }
}

/** Another search text. The order follows it: by relevance while there is one, unless a column was chosen. */
export function searchFor(params: SessionListParams, q: string): SessionListParams {
  const wasSearching = params.q.trim() !== ''
  const searching = q.trim() !== ''
  const chosen = params.sort !== (wasSearching ? 'relevance' : 'updated')
  if (chosen) return { ...params, q }
  const sort: SessionSort = searching ? 'relevance' : 'updated'
  return { ...params, q, sort, direction: FIRST_DIRECTION[sort] }
}

/** Whether anything but the order is chosen. */
export function isFiltered(params: SessionListParams): boolean {
  return (
    params.q.trim() !== '' ||
    params.kind !== null ||
    params.store !== null ||
    params.agent !== null ||
    params.model !== null ||
    params.state !== null ||
    params.copies !== null ||
    params.tool !== null ||
    params.agents !== null
  )
}
