import * as z from 'zod'
import { SEVERITIES, type SessionFinding, type Severity } from '../../core/findings/finding'
import type { Milliseconds } from '../../core/units/units'
import type { Database } from '../client'
import { figureOf, json, rowsOf } from '../rows'
import type { SqlValue } from '../sql-value'
import { REPEATING_ROWS } from './copies'
import { EVENT_COLUMNS, EVENT_SESSION, type EventSession } from './event-session'

/** A finding as it is kept, and the session that it is about (`id` as addresses carry it). */
export type StoredFinding = {
  readonly finding: SessionFinding
  readonly session: EventSession
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
}
const ROW = z.object(STORED_FINDING)

export const FINDING_COLUMNS = `${EVENT_COLUMNS}, f."findingJson", f."foundAt", f."goneAt"`
/** The order of findings `f`: the worst first, then the dearest; what is unknown comes last, as SQLite has it. */
export const WORST_FIRST = 'f."severity", f."usd" DESC, f."tokens" DESC, f."lastSeen" DESC, f."id"'

/** Findings of all sessions, the worst first, then the dearest; copies of a transcript are left out. */
export function findFindings(
  { connection }: Connected,
  filter: FindingsFilter,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): { readonly rows: readonly StoredFinding[]; readonly total: number } {
  const { sql, args } = findingConditions(filter)
  const from = `FROM "Finding" f JOIN "Session" s ON s."row" = f."sessionRow" WHERE ${sql}`
  const answer = connection.run(
    `SELECT ${FINDING_COLUMNS} ${from} ORDER BY ${WORST_FIRST} LIMIT ? OFFSET ?`,
    [...args, limit, skip],
  )
  const total = figureOf(connection.run(`SELECT COUNT(*) AS n ${from}`, args))
  return { rows: rowsOf(ROW, answer).map(storedOf), total }
}

export function storedOf(row: z.output<typeof ROW>): StoredFinding {
  const { findingJson, foundAt, goneAt, id, sessionId, name, key, agent, channel } = row
  return { finding: findingJson, session: { id, sessionId, name, key, agent, channel }, foundAt, goneAt }
}

/** What a filter asks of findings `f` and sessions `s`. */
export function findingConditions(filter: FindingsFilter): {
  readonly sql: string
  readonly args: SqlValue[]
} {
  const { severity, kind, cause, store, session, from, which = 'open' } = filter
  const parts: (readonly [sql: string, ...args: SqlValue[]])[] = [
    // A session that was asked for is shown whatever it is.
    ...(session === undefined ? [[`f."sessionRow" NOT IN (${REPEATING_ROWS})`] as const] : []),
    ...(which === 'all' ? [] : [[`f."goneAt" IS ${which === 'open' ? '' : 'NOT '}NULL`] as const]),
    ...(severity === undefined ? [] : [['f."severity" <= ?', SEVERITIES.indexOf(severity)] as const]),
    ...(kind === undefined ? [] : [['f."kind" = ?', kind] as const]),
    ...(cause === undefined ? [] : [['f."cause" = ?', cause] as const]),
    ...(store === undefined ? [] : [['s."storeId" = ?', store] as const]),
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
