import * as z from 'zod'
import type { Database } from '../client'
import { Prisma } from '../generated/client'
import { FLAG, rowsOf, rowsOfSql } from '../rows'
import { COPY_COUNT, IS_COPY, isOfSession } from './copies'
import { type SessionSummaryRow, SUMMARY, SUMMARY_COLUMNS, summaryOf } from './session-summary'
import { AGENT_COUNT, IS_AGENT, isInTreeOf } from './sub-agents'

/** What a list of sessions can be ordered by. */
type SessionOrder = 'updated' | 'name' | 'agent' | 'channel' | 'model' | 'calls' | 'compactions' | 'cost'

export type SessionFilter = {
  readonly store: string | null
  /** A runtime: the kind of a store. */
  readonly kind: string | null
  readonly agent: string | null
  readonly model: string | null
  /** One state, or `null` for every state. */
  readonly state: string | null
  /** Session rows that a search found; null when nothing is searched for. */
  readonly rows: readonly number[] | null
  /** Leaves out copies and sub-agents of sessions that are listed themselves. */
  readonly fold: boolean
  /** Public id of a transcript: only what belongs to its session, copies and all. */
  readonly family: string | null
  /** Public id of a session: only it and what works for it as a sub-agent. */
  readonly agents: string | null
  /** Only where this tool was used. */
  readonly tool: string | null
}

/** A session in the list, and how many copies and sub-agents of it there are. */
export type ListedSession = SessionSummaryRow & {
  readonly row: number
  readonly copies: number
  readonly agents: number
}

export type SessionPageQuery = {
  readonly filter: SessionFilter
  readonly order: SessionOrder
  readonly direction: 'asc' | 'desc'
  readonly offset: number
  readonly limit: number
}

const EXPRESSIONS: { readonly [O in SessionOrder]: Prisma.Sql } = {
  updated: Prisma.sql`s."updatedAt"`,
  name: Prisma.sql`LOWER(COALESCE(s."name", s."key", s."sessionId"))`,
  agent: Prisma.sql`LOWER(s."agent")`,
  channel: Prisma.sql`LOWER(s."channel")`,
  model: Prisma.sql`LOWER(s."model")`,
  calls: Prisma.sql`s."calls"`,
  compactions: Prisma.sql`s."compactions"`,
  cost: Prisma.sql`(SELECT COALESCE(s."costUsd" + b."listUsd", s."costUsd", b."listUsd")
    FROM (SELECT s."row" AS "row") one LEFT JOIN "SessionBill" b ON b."sessionRow" = one."row")`,
}

const LISTED = SUMMARY.extend({ row: z.number(), copies: z.number(), agents: z.number() })
const COUNT = z.object({ n: z.number() })
const ROW = z.object({ row: z.number() })

/**
 * One window of the list, and how many sessions the filter lets through. Unknown values come last in either direction;
 * equal ones are ordered newest first, then by row, so that windows never overlap.
 */
export function readSessionPage(
  { connection }: Pick<Database, 'connection'>,
  query: SessionPageQuery,
): {
  readonly sessions: readonly ListedSession[]
  readonly total: number
} {
  const where = whereOf(query.filter)
  const expression = EXPRESSIONS[query.order]
  const direction = query.direction === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`
  const page = Prisma.sql`
    SELECT s."row", ${COPY_COUNT} AS "copies", ${AGENT_COUNT} AS "agents", ${Prisma.raw(SUMMARY_COLUMNS)}
    FROM "Session" s JOIN "Store" t ON t."id" = s."storeId" WHERE ${where}
    ORDER BY ${expression} IS NULL, ${expression} ${direction}, s."updatedAt" DESC, s."row" DESC
    LIMIT ${query.limit} OFFSET ${query.offset}`
  const [counted] = rowsOfSql(
    COUNT,
    connection,
    Prisma.sql`SELECT COUNT(*) AS n FROM "Session" s WHERE ${where}`,
  )
  return {
    sessions: rowsOfSql(LISTED, connection, page).map(({ row, copies, agents, ...record }) => ({
      ...summaryOf(record),
      row,
      copies,
      agents,
    })),
    total: counted?.n ?? 0,
  }
}

/** Rows of all sessions that a filter lets through, in no order. */
export function readSessionRows(
  { connection }: Pick<Database, 'connection'>,
  filter: SessionFilter,
): readonly number[] {
  const query = Prisma.sql`SELECT s."row" FROM "Session" s WHERE ${whereOf(filter)}`
  return rowsOfSql(ROW, connection, query).map(({ row }) => row)
}

function whereOf(filter: SessionFilter): Prisma.Sql {
  const parts = [
    filter.store === null ? null : Prisma.sql`s."storeId" = ${filter.store}`,
    filter.kind === null
      ? null
      : Prisma.sql`s."storeId" IN (SELECT "id" FROM "Store" WHERE "kind" = ${filter.kind})`,
    filter.agent === null ? null : Prisma.sql`s."agent" = ${filter.agent}`,
    filter.model === null ? null : Prisma.sql`s."model" = ${filter.model}`,
    filter.state === null ? null : Prisma.sql`s."state" = ${filter.state}`,
    filter.rows === null
      ? null
      : filter.rows.length === 0
        ? Prisma.sql`1 = 0`
        : Prisma.sql`s."row" IN (${Prisma.join([...filter.rows])})`,
    filter.fold ? Prisma.raw(`NOT ${IS_COPY(amongFound(filter.rows))}`) : null,
    filter.fold ? Prisma.raw(`NOT ${IS_AGENT(amongFound(filter.rows))}`) : null,
    filter.agents === null ? null : isInTreeOf(filter.agents),
    filter.family === null ? null : isOfSession(filter.family),
    filter.tool === null
      ? null
      : Prisma.sql`s."row" IN (SELECT "sessionRow" FROM "SessionTool" WHERE "tool" = ${filter.tool})`,
  ].filter((part) => part !== null)
  return parts.length === 0 ? Prisma.sql`1 = 1` : Prisma.join(parts, ' AND ')
}

/** A copy or a sub-agent is listed where a search found it and not its session. */
function amongFound(rows: readonly number[] | null): string {
  return rows === null ? '' : ` AND h."row" IN (${rows.map(Number).join(', ')})`
}

/** What the filters of the list can be set to, each with how many sessions it would show. */
export type SessionFacets = {
  readonly kinds: readonly { readonly value: string; readonly count: number }[]
  readonly stores: readonly { readonly value: string; readonly label: string; readonly count: number }[]
  readonly agents: readonly { readonly value: string; readonly count: number }[]
  readonly models: readonly { readonly value: string; readonly count: number }[]
  readonly states: readonly { readonly value: string; readonly count: number }[]
}

const NOT_A_COPY = `NOT ${IS_COPY()} AND NOT ${IS_AGENT()}`

const GROUP = z.object({
  store: z.string(),
  agent: z.string().nullable(),
  model: z.string().nullable(),
  state: z.string(),
  listed: FLAG,
  n: z.number(),
})
const STORE = z.object({ id: z.string(), kind: z.string(), label: z.string() })

/** Values of each kind that are named. */
const MOST_VALUES = 200

/**
 * Values and counts over all sessions, most frequent first; at most 200 of each kind. Copies and sub-agents count by their
 * state only. The sessions are gone through once for all kinds.
 */
export function readSessionFacets({ connection }: Pick<Database, 'connection'>): SessionFacets {
  const groups = rowsOf(
    GROUP,
    connection.run(
      `SELECT s."storeId" AS "store", s."agent", s."model", s."state", ${NOT_A_COPY} AS "listed", COUNT(*) AS n
       FROM "Session" s GROUP BY 1, 2, 3, 4, 5`,
    ),
  )
  const stores = rowsOf(STORE, connection.run('SELECT "id", "kind", "label" FROM "Store"'))
  const listed = groups.filter((group) => group.listed)
  const kindOf = new Map(stores.map(({ id, kind }) => [id, kind]))
  const inStores = countBy(listed, ({ store }) => store)
  return {
    kinds: facetsOf(countBy(listed, ({ store }) => kindOf.get(store) ?? null)),
    stores: stores
      .map(({ id, label }) => ({ value: id, label, count: inStores.get(id) ?? 0 }))
      .sort(byCount)
      .slice(0, MOST_VALUES),
    agents: facetsOf(countBy(listed, ({ agent }) => agent)),
    models: facetsOf(countBy(listed, ({ model }) => model)),
    states: facetsOf(countBy(groups, ({ state }) => state)),
  }
}

type Group = z.output<typeof GROUP>

/** Sessions by what `pick` takes of them; those without it are left out. */
function countBy(
  groups: readonly Group[],
  pick: (group: Group) => string | null,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const group of groups) {
    const value = pick(group)
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + group.n)
  }
  return counts
}

function facetsOf(counts: ReadonlyMap<string, number>): SessionFacets['kinds'] {
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort(byCount)
    .slice(0, MOST_VALUES)
}

type Counted = { readonly value: string; readonly count: number }

function byCount(a: Counted, b: Counted): number {
  return b.count - a.count || (a.value < b.value ? -1 : 1)
}
