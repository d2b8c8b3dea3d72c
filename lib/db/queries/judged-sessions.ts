import * as z from 'zod'
import type { Bytes, Milliseconds } from '../../core/units/units'
import { stampedSource } from '../../engine/ingest/stamp'
import type { Database } from '../client'
import { rowOf, rowsOf } from '../rows'

/** A transcript as its store is judged by it. */
export type JudgedTranscript = {
  /** As addresses carry it. */
  readonly id: string
  readonly sessionId: string
  readonly agent: string | null
  readonly path: string
  readonly state: string
  /** The runtime's index names its session. */
  readonly isIndexed: boolean
  /** Last write of its file and its size, when it was read last; null: it was not read to its end. */
  readonly mtimeMs: Milliseconds | null
  readonly bytes: Bytes | null
}

const ROW = z.object({
  id: z.string(),
  sessionId: z.string(),
  agent: z.string().nullable(),
  path: z.string(),
  state: z.string(),
  indexed: z.number(),
  stamp: z.string().nullable(),
})

const STAMP = z.object({ sessions: z.number(), revision: z.number().nullable() })

/** The same as long as no session of a store came, went or was read on. */
export function sessionsStamp({ connection }: Pick<Database, 'connection'>, storeId: string): string {
  const answer = connection.run(
    'SELECT count(*) AS "sessions", max("revision") AS "revision" FROM "Session" WHERE "storeId" = ?',
    [storeId],
  )
  const { sessions = 0, revision = null } = rowOf(STAMP, answer) ?? {}
  return `${sessions} ${revision ?? ''}`
}

/** Transcripts of a store that can be read, what is gone as well. */
export function findJudgedSessions(
  { connection }: Pick<Database, 'connection'>,
  storeId: string,
): readonly JudgedTranscript[] {
  const answer = connection.run(
    `SELECT "id", "sessionId", "agent", "path", "state", "indexJson" IS NOT NULL AS "indexed", "stamp"
     FROM "Session" WHERE "storeId" = ? AND "problem" IS NULL ORDER BY "row"`,
    [storeId],
  )
  return rowsOf(ROW, answer).map(({ indexed, stamp, ...session }) => {
    const source = stamp === null ? null : stampedSource(stamp)
    return {
      ...session,
      isIndexed: indexed === 1,
      mtimeMs: source?.mtimeMs ?? null,
      bytes: source?.size ?? null,
    }
  })
}
