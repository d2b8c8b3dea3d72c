import type { Database } from '../client'
import { Prisma } from '../generated/client'
import { type SessionSummary, SUMMARY_COLUMNS, type SummaryRecord, summaryOf } from './session-summary'

/** What a list of sessions can be ordered by. */
export type SessionOrder =
  | 'updated'
  | 'name'
  | 'agent'
  | 'channel'
  | 'model'
  | 'calls'
  | 'compactions'
  | 'cost'

export type SessionFilter = {
  readonly store: string | null
  readonly agent: string | null
  readonly model: string | null
  /** One state, or `null` for every state. */
  readonly state: string | null
  /** Session rows that a search found; null when nothing is searched for. */
  readonly rows: readonly number[] | null
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
  cost: Prisma.sql`s."costUsd"`,
}

/**
 * One window of the list, and how many sessions the filter lets through. Unknown values come last in either direction;
 * equal ones are ordered newest first, then by row, so that windows never overlap.
 */
export async function readSessionPage(
  { prisma }: Pick<Database, 'prisma'>,
  query: SessionPageQuery,
): Promise<{
  readonly sessions: readonly (SessionSummary & { readonly row: number })[]
  readonly total: number
}> {
  const where = whereOf(query.filter)
  const expression = EXPRESSIONS[query.order]
  const direction = query.direction === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`
  const [records, counted] = await Promise.all([
    prisma.$queryRaw<(SummaryRecord & { row: number })[]>`
      SELECT s."row", ${SUMMARY_COLUMNS} FROM "Session" s JOIN "Store" t ON t."id" = s."storeId" WHERE ${where}
      ORDER BY ${expression} IS NULL, ${expression} ${direction}, s."updatedAt" DESC, s."row" DESC
      LIMIT ${query.limit} OFFSET ${query.offset}`,
    prisma.$queryRaw<{ n: number | bigint }[]>`SELECT COUNT(*) AS n FROM "Session" s WHERE ${where}`,
  ])
  return {
    sessions: records.map(({ row, ...record }) => ({ ...summaryOf(record), row: Number(row) })),
    total: Number(counted[0]?.n ?? 0),
  }
}

/** Rows of all sessions that a filter lets through, in no order. */
export async function readSessionRows(
  { prisma }: Pick<Database, 'prisma'>,
  filter: SessionFilter,
): Promise<readonly number[]> {
  const records = await prisma.$queryRaw<{ row: number }[]>`
    SELECT s."row" FROM "Session" s WHERE ${whereOf(filter)}`
  return records.map((record) => Number(record.row))
}

function whereOf(filter: SessionFilter): Prisma.Sql {
  const parts = [
    filter.store === null ? null : Prisma.sql`s."storeId" = ${filter.store}`,
    filter.agent === null ? null : Prisma.sql`s."agent" = ${filter.agent}`,
    filter.model === null ? null : Prisma.sql`s."model" = ${filter.model}`,
    filter.state === null ? null : Prisma.sql`s."state" = ${filter.state}`,
    filter.rows === null
      ? null
      : filter.rows.length === 0
        ? Prisma.sql`1 = 0`
        : Prisma.sql`s."row" IN (${Prisma.join([...filter.rows])})`,
  ].filter((part) => part !== null)
  return parts.length === 0 ? Prisma.sql`1 = 1` : Prisma.join(parts, ' AND ')
}

/** What the filters of the list can be set to, each with how many sessions it would show. */
export type SessionFacets = {
  readonly stores: readonly { readonly value: string; readonly label: string; readonly count: number }[]
  readonly agents: readonly { readonly value: string; readonly count: number }[]
  readonly models: readonly { readonly value: string; readonly count: number }[]
  readonly states: readonly { readonly value: string; readonly count: number }[]
}

type FacetRecord = {
  readonly kind: 'store' | 'agent' | 'model' | 'state'
  readonly value: string
  readonly label: string
  readonly n: number | bigint
}

/** Values and counts over all sessions, most frequent first; at most 200 of each kind. */
export async function readSessionFacets({ prisma }: Pick<Database, 'prisma'>): Promise<SessionFacets> {
  const records = await prisma.$queryRaw<FacetRecord[]>`
    SELECT 'store' AS "kind", t."id" AS "value", t."label" AS "label", COUNT(s."row") AS n
      FROM "Store" t LEFT JOIN "Session" s ON s."storeId" = t."id" GROUP BY t."id"
    UNION ALL SELECT 'agent', s."agent", s."agent", COUNT(*) FROM "Session" s WHERE s."agent" IS NOT NULL GROUP BY s."agent"
    UNION ALL SELECT 'model', s."model", s."model", COUNT(*) FROM "Session" s WHERE s."model" IS NOT NULL GROUP BY s."model"
    UNION ALL SELECT 'state', s."state", s."state", COUNT(*) FROM "Session" s GROUP BY s."state"
    ORDER BY 4 DESC, 2`
  const of = (kind: FacetRecord['kind']) =>
    records
      .filter((record) => record.kind === kind)
      .slice(0, 200)
      .map(({ value, label, n }) => ({ value, label, count: Number(n) }))
  return { stores: of('store'), agents: of('agent'), models: of('model'), states: of('state') }
}
