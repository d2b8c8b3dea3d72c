import 'server-only'
import { maskSecrets } from '../../core/redaction/secrets'
import type { Database } from '../../db/client'
import {
  type ListedSession,
  readSessionFacets,
  readSessionPage,
  readSessionRows,
  type SessionFilter,
} from '../../db/queries/session-page'
import { sessionTitle } from '../../view/session/session-title'
import type { FillFacts } from '../../view/session-list/fill'
import {
  listQuery,
  SESSION_PAGE_ROWS,
  type SessionListFacets,
  type SessionListPage,
  type SessionListParams,
  type SessionListRow,
  STATE_LABELS,
} from '../../view/session-list/session-list'
import { runtimeTitle } from '../../view/stores/store-title'
import { costOfSession } from '../../view/text/cost'
import { shownOrNull, shownText } from '../../view/text/shown-text'
import { orderRows } from '../overview/fill-ranking'
import { getPoliciesInForce, getRankedRows, type PoliciesInForce } from '../policy/policies-in-force'
import { untilChange } from '../process/until-change'
import { demoMarker } from '../stores/demo'
import { searchSessions } from './session-search'
import { readSnippets } from './session-snippets'

type PageChoice = {
  readonly params: SessionListParams
  readonly policies: PoliciesInForce
  readonly filter: SessionFilter
  readonly offset: number
}

/** One window of the list of sessions, from `offset` on. */
export async function getSessionList(params: SessionListParams, offset: number): Promise<SessionListPage> {
  const policies = await getPoliciesInForce()
  const key = `sessions ${listQuery(params)} ${offset} ${policies.revision}`
  return untilChange(key, (database) => readList(database, params, policies, offset))
}

async function readList(
  database: Database,
  params: SessionListParams,
  policies: PoliciesInForce,
  offset: number,
): Promise<SessionListPage> {
  const isMarked = await demoMarker()
  const rowOf = (row: ListedSession, found: SessionListRow['found']) =>
    listRow(row, { found, demo: isMarked(row.storeRoot), load: policies.loads.of(row) })
  const q = params.q.trim()
  if (q === '') {
    const page = await readPage(database, { params, policies, filter: filterOf(params, null), offset })
    return {
      offset,
      rows: page.sessions.map((row) => rowOf(row, null)),
      total: page.total,
      cut: false,
    }
  }
  const { found, cut } = await searchSessions(q)
  const bySession = new Map(found.map((session) => [session.row, session]))
  const filter = filterOf(params, [...bySession.keys()])
  const page =
    params.sort === 'relevance'
      ? await readInOrder(database, { filter, order: found.map(({ row }) => row), offset })
      : await readPage(database, { params, policies, filter, offset })
  const snippets = await readSnippets(database, {
    q,
    places: page.sessions.map((row) => {
      const { seq = null, entries = 0 } = bySession.get(row.row) ?? {}
      return { ...row, seq, entries }
    }),
  })
  const rows = page.sessions.map((row, index) => rowOf(row, snippets[index] ?? null))
  return { offset, rows, total: page.total, cut }
}

/** What the filters can be set to. */
export function getSessionFacets(): Promise<SessionListFacets> {
  return untilChange('session facets', readFacets)
}

async function readFacets(database: Database): Promise<SessionListFacets> {
  const facets = await readSessionFacets(database)
  const plain = ({ value, count }: { value: string; count: number }) => ({
    // What holds a credential can be seen among all, but not asked for by its name.
    value: maskSecrets(value),
    label: shownText(value),
    count,
  })
  return {
    kinds: facets.kinds.map(({ value, count }) => ({ value, label: runtimeTitle(value), count })),
    stores: facets.stores,
    agents: facets.agents.map(plain),
    models: facets.models.map(plain),
    states: facets.states.map(({ value, count }) => ({
      value,
      label: STATE_LABELS[value]?.label ?? value,
      count,
    })),
  }
}

function filterOf(params: SessionListParams, rows: readonly number[] | null): SessionFilter {
  const { store, kind, agent, model, state, copies, agents, tool } = params
  // A request for a state, a tool, for the copies of a session or for its sub-agents shows them.
  const fold = state === null && copies === null && agents === null && tool === null
  return { store, kind, agent, model, state, rows, family: copies, agents, tool, fold }
}

type Page = { readonly sessions: readonly ListedSession[]; readonly total: number }

async function readPage(database: Database, { params, policies, filter, offset }: PageChoice): Promise<Page> {
  const { sort, direction } = params
  if (sort === 'fill') {
    const order = orderRows(await getRankedRows(policies), 'share', direction)
    return readInOrder(database, { filter, order, offset })
  }
  const order = sort === 'relevance' ? 'updated' : sort
  return readSessionPage(database, { filter, order, direction, offset, limit: SESSION_PAGE_ROWS })
}

async function passing(database: Database, filter: SessionFilter, order: readonly number[]) {
  const rows = new Set(await readSessionRows(database, filter))
  return order.filter((row) => rows.has(row))
}

/** The order of the search and of fills is not the database's: the rows that pass the filter are put into it here. */
async function readInOrder(
  database: Database,
  { filter, order, offset }: { filter: SessionFilter; order: readonly number[]; offset: number },
): Promise<Page> {
  const ordered = await passing(database, filter, order)
  const window = ordered.slice(offset, offset + SESSION_PAGE_ROWS)
  const page = await readSessionPage(database, {
    filter: { ...filter, rows: window, fold: false },
    order: 'updated',
    direction: 'desc',
    offset: 0,
    limit: SESSION_PAGE_ROWS,
  })
  const byRow = new Map(page.sessions.map((session) => [session.row, session]))
  const sessions = window.map((row) => byRow.get(row)).filter((row) => row !== undefined)
  return { sessions, total: ordered.length }
}

function listRow(
  session: ListedSession,
  { found, demo, load }: Pick<SessionListRow, 'found' | 'demo'> & Pick<FillFacts, 'load'>,
): SessionListRow {
  const { contextTokens, contextBasis, contextErrorPct, trend } = session
  return {
    id: session.id,
    title: sessionTitle(session),
    agent: shownOrNull(session.agent),
    channel: shownOrNull(session.channel),
    model: shownOrNull(session.model),
    store: session.storeLabel,
    kind: session.storeKind,
    demo,
    state: session.state,
    problem: shownOrNull(session.problem),
    fill: { load, contextTokens, contextBasis, contextErrorPct, trend },
    calls: session.calls,
    compactions: session.compactions,
    unreadable: session.unreadable,
    copies: session.copies,
    agents: session.agents,
    cost: costOfSession(session),
    updatedAt: session.updatedAt,
    found,
  }
}
