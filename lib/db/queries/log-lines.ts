import * as z from 'zod'
import { LOG_KINDS, type LogKind } from '../../core/logs/log-kinds'
import { storedRecord } from '../../core/logs/stored-record'
import type { LoggedRecord } from '../../engine/logs/log-ports'
import type { Database } from '../client'
import { figureOf, json, rowsOf } from '../rows'
import type { SqlValue } from '../sql-value'

/** Which lines are wanted; null does not ask. */
export type LogQuestion = {
  readonly kind: LogKind | null
  readonly session: string | null
  readonly chunk: string | null
  /** Is in the line, whatever the case. */
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

const LINE = z.object({
  kind: z.enum(LOG_KINDS),
  at: z.number().nullable(),
  sessionId: z.string().nullable(),
  recordJson: json(z.record(z.string(), z.unknown())),
  file: z.string(),
  line: z.number(),
})
const LOGGED = z.object({ sessionId: z.string() })

/** Lines, newest first; those without a time come last. */
export function findLogLines(
  { connection }: Connected,
  question: LogQuestion,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): readonly LoggedRecord[] {
  const { sql, args } = conditions(question)
  const answer = connection.run(
    `SELECT l."kind", l."at", l."sessionId", l."recordJson", f."path" AS "file", l."line" FROM "LogLine" l
     JOIN "LogFile" f ON f."row" = l."fileRow" ${sql}
     ORDER BY l."at" DESC, l."fileRow" DESC, l."line" DESC LIMIT ? OFFSET ?`,
    [...args, limit, skip],
  )
  return rowsOf(LINE, answer).map(({ kind, at, sessionId, recordJson, file, line }) => ({
    record: storedRecord(kind, { at, sessionId, known: recordJson }),
    file,
    line,
  }))
}

export function countLogLines({ connection }: Connected, question: LogQuestion): number {
  const { sql, args } = conditions(question)
  return figureOf(connection.run(`SELECT COUNT(*) AS n FROM "LogLine" l ${sql}`, args))
}

/** Sessions in logs, with the most lines first. */
export function findLoggedSessions({ connection }: Connected, limit: number): readonly string[] {
  const answer = connection.run(
    'SELECT "sessionId" FROM "LogLine" WHERE "sessionId" IS NOT NULL GROUP BY "sessionId" ORDER BY COUNT(*) DESC LIMIT ?',
    [limit],
  )
  return rowsOf(LOGGED, answer).map(({ sessionId }) => sessionId)
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
