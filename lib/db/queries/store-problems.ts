import * as z from 'zod'
import { maskSecrets } from '../../core/redaction/secrets'
import { fileFlaws } from '../../core/transcript/file-flaws'
import type { BrokenTranscript, UnknownType, UnreadableLine } from '../../core/transcript/store-flaws'
import type { Database } from '../client'
import { rowsOf } from '../rows'
import { EVENT_COLUMNS, EVENT_SESSION, type EventSession } from './event-session'

/** An unreadable line with the session that it is of. */
export type UnreadableEntry = EventSession & UnreadableLine

const ENTRY = z.object({
  ...EVENT_SESSION,
  storeId: z.string(),
  path: z.string(),
  seq: z.number(),
  line: z.number(),
  bytes: z.number(),
  problem: z.string().nullable(),
  inTranscript: z.number(),
})
const TYPE = z.object({
  storeId: z.string(),
  rawType: z.string().nullable(),
  n: z.number(),
  row: z.number(),
})
const SAMPLE = z.object({ id: z.string(), seq: z.number(), line: z.number() })
const DAMAGED = z.object({
  ...EVENT_SESSION,
  storeId: z.string(),
  path: z.string(),
  problem: z.string().nullable(),
  entries: z.number(),
  unreadable: z.number(),
  version: z.number(),
})

/**
 * Unreadable lines, those of the sessions that changed last first, in the order of the files; the first few of each
 * transcript, so that a file of rubbish does not hide the others.
 */
export function findUnreadableEntries(
  { connection }: Pick<Database, 'connection'>,
  limit: number,
  perTranscript: number,
): readonly UnreadableEntry[] {
  // The sessions first: a file of rubbish has a million of these lines, and few of them are examined.
  const answer = connection.run(
    `SELECT ${EVENT_COLUMNS}, s."storeId", s."path", e."seq", e."line", e."bytes", e."problem",
      s."unreadable" AS "inTranscript"
     FROM (SELECT * FROM "Session" WHERE "unreadable" > 0 ORDER BY "updatedAt" DESC, "row" LIMIT ?1) s
     JOIN "OddEntry" e ON e."sessionRow" = s."row" AND e."seq" IN (
       SELECT o."seq" FROM "OddEntry" o
       WHERE o."sessionRow" = s."row" AND o."type" = 'unreadable' ORDER BY o."seq" LIMIT ?2)
     ORDER BY s."updatedAt" DESC, s."row", e."seq" LIMIT ?1`,
    [limit, perTranscript],
  )
  // The reason why a line cannot be read quotes the line.
  return rowsOf(ENTRY, answer).map((entry) => ({
    ...entry,
    problem: entry.problem === null ? null : maskSecrets(entry.problem),
  }))
}

/** Entry types that we do not know, by store, the most frequent first. */
export function countUnknownTypes(
  { connection }: Pick<Database, 'connection'>,
  limit: number,
): readonly UnknownType[] {
  const answer = connection.run(
    `SELECT s."storeId", e."rawType", COUNT(*) AS n, MAX(e."sessionRow") AS "row"
     FROM "OddEntry" e JOIN "Session" s ON s."row" = e."sessionRow"
     WHERE e."type" = 'unknown' GROUP BY s."storeId", e."rawType" ORDER BY n DESC, e."rawType" LIMIT ?`,
    [limit],
  )
  return rowsOf(TYPE, answer).flatMap(({ storeId, rawType, n, row }) => {
    const first = connection.run(
      `SELECT s."id", e."seq", e."line" FROM "OddEntry" e JOIN "Session" s ON s."row" = e."sessionRow"
       WHERE e."sessionRow" = ? AND e."type" = 'unknown' AND e."rawType" IS ? ORDER BY e."seq" LIMIT 1`,
      [row, rawType],
    )
    const type = rawType === null ? '(none)' : maskSecrets(rawType)
    return rowsOf(SAMPLE, first).map((sample) => ({ storeId, type, count: n, sample }))
  })
}

/** Transcripts with their own problem, or without a header, the last changed first. */
export function findBrokenSessions(
  { connection }: Pick<Database, 'connection'>,
  limit: number,
): readonly (EventSession & BrokenTranscript)[] {
  const answer = connection.run(
    `SELECT ${EVENT_COLUMNS}, s."storeId", s."path", s."problem", s."entries", s."unreadable", s."version"
     FROM "Session" s WHERE s."problem" IS NOT NULL OR (s."version" = 0 AND s."entries" > 0)
     ORDER BY s."updatedAt" DESC LIMIT ?`,
    [limit],
  )
  return rowsOf(DAMAGED, answer).map(({ problem, entries, unreadable, version, ...session }) => {
    const [flaw] = fileFlaws({ entries, unreadable, version, unfinished: null })
    return { ...session, problem: problem ?? flaw?.text ?? '' }
  })
}
