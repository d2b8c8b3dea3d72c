import { type AnyLogRecord, LOG_FIELDS } from '../../core/logs/log-fields'
import type { LogKind } from '../../core/logs/log-kinds'
import type { LoggedRecord } from '../../engine/log-ports'
import type { Database } from '../client'
import type { SqlValue } from '../local-connection'

/** Which lines are wanted; null does not ask. */
export type LogQuestion = {
  readonly kind: LogKind | null
  readonly session: string | null
  readonly chunk: string | null
  /** Stands in the line, whatever the case. */
  readonly text: string | null
  /** Milliseconds since the epoch; lines without a time fit only when neither is asked for. */
  readonly since: number | null
  readonly until: number | null
}

export const ANY_LINE: LogQuestion = {
  kind: null,
  session: null,
  chunk: null,
  text: null,
  since: null,
  until: null,
}

type Connected = Pick<Database, 'connection'>

/** Lines, newest first; those without a time come last. */
export function findLogLines(
  { connection }: Connected,
  question: LogQuestion,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): readonly LoggedRecord[] {
  const { sql, args } = conditions(question)
  return connection
    .run(
      `SELECT l."kind", l."at", l."sessionId", l."recordJson", f."path", l."line" FROM "LogLine" l
       JOIN "LogFile" f ON f."row" = l."fileRow" ${sql}
       ORDER BY l."at" DESC, l."fileRow" DESC, l."line" DESC LIMIT ? OFFSET ?`,
      [...args, limit, skip],
    )
    .rows.map(([kind, at, sessionId, json, path, line]) => ({
      record: recordOf(String(kind) as LogKind, at ?? null, sessionId ?? null, String(json)),
      file: String(path),
      line: Number(line),
    }))
}

export function countLogLines({ connection }: Connected, question: LogQuestion): number {
  const { sql, args } = conditions(question)
  return Number(connection.run(`SELECT COUNT(*) FROM "LogLine" l ${sql}`, args).rows[0]?.[0] ?? 0)
}

/** Sessions that logs tell of, with the most lines first. */
export function findLoggedSessions({ connection }: Connected, limit: number): readonly string[] {
  return connection
    .run(
      'SELECT "sessionId" FROM "LogLine" WHERE "sessionId" IS NOT NULL GROUP BY "sessionId" ORDER BY COUNT(*) DESC LIMIT ?',
      [limit],
    )
    .rows.map(([id]) => String(id))
}

function conditions({ kind, session, chunk, text, since, until }: LogQuestion) {
  const parts: [string, SqlValue][] = []
  if (kind !== null) parts.push(['l."kind" = ?', kind])
  if (session !== null) parts.push(['l."sessionId" = ?', session])
  // A recovery can name several chunks.
  if (chunk !== null)
    parts.push([
      `(l."chunkId" = ?1 OR (l."kind" = 'recovery' AND l."chunkId" IS NULL AND instr(l."recordJson", json_quote(?1)) > 0))`,
      chunk,
    ])
  if (text !== null)
    parts.push(['instr(lower(l."recordJson" || COALESCE(l."sessionId", \'\')), ?) > 0', text.toLowerCase()])
  if (since !== null) parts.push(['l."at" >= ?', since])
  if (until !== null) parts.push(['l."at" <= ?', until])
  // The chunk's parameter is numbered, and used twice: it has to be the first.
  const ordered = parts.toSorted(([a], [b]) => Number(b.includes('?1')) - Number(a.includes('?1')))
  const sql = ordered.length === 0 ? '' : `WHERE ${ordered.map(([part]) => part).join(' AND ')}`
  return { sql, args: ordered.map(([, value]) => value) }
}

function recordOf(kind: LogKind, at: SqlValue, sessionId: SqlValue, json: string): AnyLogRecord {
  const known = JSON.parse(json) as Record<string, unknown>
  const record: Record<string, unknown> = { kind, at: at === null ? null : Number(at), event: null, rest: {} }
  for (const key of Object.keys(LOG_FIELDS[kind])) record[key] = null
  // Written by us from a record of this kind, without what is unknown.
  return { ...record, sessionId, ...known } as unknown as AnyLogRecord
}
