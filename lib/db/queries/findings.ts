import * as z from 'zod'
import { SEVERITIES, type SessionFinding, type Severity } from '../../core/findings/finding'
import type { Milliseconds } from '../../core/units/units'
import type { Database } from '../client'
import { figureOf, json, rowsOf } from '../rows'
import type { SqlValue } from '../sql-value'
import { REPEATING_ROWS } from './copies'
import { EVENT_COLUMNS, EVENT_SESSION, type EventSession } from './event-session'

type StoreNames = {
  readonly id: string
  readonly kind: string
  readonly root: string
  readonly label: string
}

/**
 * A finding as it is kept, and the session that it is about (`id` as addresses carry it); of a store as a whole, the
 * session that speaks for it.
 */
export type StoredFinding = {
  readonly finding: SessionFinding
  readonly session: EventSession
  /** The store, where it is about it as a whole; null: it is about the session. */
  readonly store: StoreNames | null
  /** When an import found it first, and when one did not find it any more; null: it is there. */
  readonly foundAt: Milliseconds
  readonly goneAt: Milliseconds | null
}

export type FindingsFilter = {
  /** This severity and worse ones. */
  readonly severity?: Severity
  readonly kind?: string
  /** Those of one cause (`SessionFinding.cause`). */
  readonly cause?: string
  /** Public ids. */
  readonly store?: string
  readonly session?: string
  /** Those that showed in the record at or after this moment. */
  readonly from?: Milliseconds
  /** Those that are there (default), those that are gone, or both. */
  readonly which?: 'open' | 'gone' | 'all'
  /** Leaves out what is muted, or has that alone. */
  readonly muted?: {
    readonly only: boolean
    readonly ids: readonly string[]
    readonly causes: readonly string[]
  }
}

type Connected = Pick<Database, 'connection'>

/** Columns of a finding with its session. */
export const STORED_FINDING = {
  ...EVENT_SESSION,
  findingJson: json(z.custom<SessionFinding>((value) => typeof value === 'object' && value !== null)),
  foundAt: z.number(),
  goneAt: z.number().nullable(),
  ofStore: json(
    z.object({ id: z.string(), kind: z.string(), root: z.string(), label: z.string() }),
  ).nullable(),
}
const ROW = z.object(STORED_FINDING)

/** Where findings are kept: those of sessions, and those of stores as a whole. `s` is the session of a finding. */
export type FindingTable = {
  readonly table: 'Finding' | 'StoreFinding'
  /** Joins with `s`, and with all else that `columns` takes. */
  readonly joined: string
  readonly columns: string
  /** What tells sessions apart. */
  readonly session: string
}

const COLUMNS = 'f."findingJson", f."foundAt", f."goneAt"'

export const OF_SESSIONS: FindingTable = {
  table: 'Finding',
  joined: '"Finding" f JOIN "Session" s ON s."row" = f."sessionRow"',
  columns: `${EVENT_COLUMNS}, ${COLUMNS}, NULL AS "ofStore"`,
  session: 'f."sessionRow"',
}

/** A session that was never read may have gone from the list already: then its name is all that is known. */
export const OF_STORES: FindingTable = {
  table: 'StoreFinding',
  joined:
    '"StoreFinding" f JOIN "Store" t ON t."id" = f."storeId" LEFT JOIN "Session" s ON s."id" = f."transcriptId"',
  columns: `f."transcriptId" AS "id", COALESCE(s."sessionId", f."transcriptId") AS "sessionId", s."name", s."key",
    s."agent", s."channel", ${COLUMNS}, json_object('id', t."id", 'kind', t."kind", 'root', t."root", 'label', t."label") AS "ofStore"`,
  session: 'f."transcriptId"',
}

/** The worst first, then the dearest; what is unknown comes last, as SQLite has it. */
const ORDERED_BY = '"severity", "usd" DESC, "tokens" DESC, "lastSeen" DESC'
/** The order of findings `f` of one table. */
export const WORST_FIRST = ORDERED_BY.replaceAll(/(^|, )"/g, '$1f."').concat(', f."id"')

/** Findings of all sessions and stores, the worst first, then the dearest; copies of a transcript are left out. */
export function findFindings(
  { connection }: Connected,
  filter: FindingsFilter,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): { readonly rows: readonly StoredFinding[]; readonly total: number } {
  const parts = [OF_SESSIONS, OF_STORES].map((of) => {
    const { sql, args } = findingConditions(filter, of)
    return { of, args, from: `FROM ${findingSource(filter, of)} WHERE ${sql}` }
  })
  const args = parts.flatMap((part) => part.args)
  // What is long of a finding is read of the chosen ones alone.
  const sorted = parts.map(
    ({ of, from }) =>
      `SELECT '${of.table}' AS "in", f."rowid" AS "at", f."severity", f."usd", f."tokens", f."lastSeen", f."id" AS "findingId" ${from}`,
  )
  const shown = parts.map(
    ({ of }) =>
      `SELECT ${of.columns}, g.* FROM page g JOIN ${of.joined} WHERE g."in" = '${of.table}' AND f."rowid" = g."at"`,
  )
  const answer = connection.run(
    `WITH page AS MATERIALIZED (
       SELECT * FROM (${sorted.join(' UNION ALL ')}) ORDER BY ${ORDERED_BY}, "findingId" LIMIT ? OFFSET ?
     )
     SELECT * FROM (${shown.join(' UNION ALL ')}) ORDER BY ${ORDERED_BY}, "findingId"`,
    [...args, limit, skip],
  )
  const counts = parts.map(({ from }) => `(SELECT COUNT(*) ${from})`)
  const total = figureOf(connection.run(`SELECT ${counts.join(' + ')} AS n`, args))
  return { rows: rowsOf(ROW, answer).map(storedOf), total }
}

/** Rows of sessions are long: they are looked at only where the filter asks for it. */
export function findingSource(
  { store, session }: FindingsFilter,
  { table, joined }: Pick<FindingTable, 'table' | 'joined'>,
): string {
  const isOfSessions = (store !== undefined && table === 'Finding') || session !== undefined
  return isOfSessions ? joined : `"${table}" f`
}

export function storedOf(row: z.output<typeof ROW>): StoredFinding {
  const { findingJson, foundAt, goneAt, id, sessionId, name, key, agent, channel, ofStore } = row
  return {
    finding: findingJson,
    session: { id, sessionId, name, key, agent, channel },
    store: ofStore,
    foundAt,
    goneAt,
  }
}

/** What a filter asks of findings `f` of a table, and of sessions `s`. */
export function findingConditions(
  filter: FindingsFilter,
  { table }: Pick<FindingTable, 'table'>,
): {
  readonly sql: string
  readonly args: SqlValue[]
} {
  const { severity, kind, cause, store, session, from, which = 'open' } = filter
  const parts: (readonly [sql: string, ...args: SqlValue[]])[] = [
    // A session that was asked for is shown whatever it is.
    ...(session === undefined && table === 'Finding'
      ? [[`f."sessionRow" NOT IN (${REPEATING_ROWS})`] as const]
      : []),
    ...(which === 'all' ? [] : [[`f."goneAt" IS ${which === 'open' ? '' : 'NOT '}NULL`] as const]),
    ...(severity === undefined ? [] : [['f."severity" <= ?', SEVERITIES.indexOf(severity)] as const]),
    ...(kind === undefined ? [] : [['f."kind" = ?', kind] as const]),
    ...(cause === undefined ? [] : [['f."cause" = ?', cause] as const]),
    ...(store === undefined ? [] : [[`${table === 'Finding' ? 's' : 'f'}."storeId" = ?`, store] as const]),
    ...(session === undefined ? [] : [['s."id" = ?', session] as const]),
    ...(filter.muted === undefined ? [] : [mutedCondition(filter.muted)]),
    ...(from === undefined ? [] : [['f."lastSeen" >= ?', from] as const]),
  ]
  return {
    sql: parts.length === 0 ? '1' : parts.map(([sql]) => sql).join(' AND '),
    args: parts.flatMap(([, ...args]) => args),
  }
}

function mutedCondition({
  only,
  ids,
  causes,
}: NonNullable<FindingsFilter['muted']>): readonly [string, ...SqlValue[]] {
  const isMuted =
    '(f."id" IN (SELECT value FROM json_each(?)) OR f."cause" IN (SELECT value FROM json_each(?)))'
  return [only ? isMuted : `NOT ${isMuted}`, JSON.stringify(ids), JSON.stringify(causes)]
}
