import type { Database } from '../client'
import { millisecondsOf } from './session-summary'

/** The session that something happened in, as a list names it. */
export type EventSession = {
  readonly id: string
  readonly sessionId: string
  readonly name: string | null
  readonly key: string | null
  readonly agent: string | null
  readonly channel: string | null
}

export type CompactionEvent = EventSession & {
  readonly at: number | null
  readonly kind: string
  readonly afterCall: number
  readonly tokensBefore: number | null
  readonly tokensAfter: number | null
  /** Prompt sizes of the calls before and after it; null when there is no such call, or its size is unknown. */
  readonly promptBefore: number | null
  readonly promptAfter: number | null
}

export type FailedCall = EventSession & {
  readonly at: number | null
  readonly call: number
  readonly stopReason: string
}

export type UnreadableLines = EventSession & { readonly at: number | null; readonly unreadable: number }

/** Failed calls are looked for in this many of the newest sessions, and there in the last calls only. */
const SESSIONS_SEARCHED = 30
const CALLS_SEARCHED = 50

type Timed<T> = Omit<T, 'at'> & { readonly at: unknown }

function timed<T extends { readonly at: number | null }>(record: Timed<T>): T {
  return { ...record, at: millisecondsOf(record.at) } as T
}

/** Compactions and resets of all sessions, newest first. */
export async function findRecentCompactions(
  { prisma }: Pick<Database, 'prisma'>,
  limit: number,
): Promise<readonly CompactionEvent[]> {
  const records = await prisma.$queryRaw<Timed<CompactionEvent>[]>`
    SELECT s."id", s."sessionId", s."name", s."key", s."agent", s."channel", c."at", c."kind", c."afterCall",
      c."tokensBefore", c."tokensAfter", b."total" AS "promptBefore", a."total" AS "promptAfter"
    FROM "Compaction" c JOIN "Session" s ON s."row" = c."sessionRow"
    LEFT JOIN "Call" b ON b."sessionRow" = c."sessionRow" AND b."n" = c."afterCall"
    LEFT JOIN "Call" a ON a."sessionRow" = c."sessionRow" AND a."n" = c."afterCall" + 1
    WHERE c."at" IS NOT NULL ORDER BY c."at" DESC LIMIT ${limit}`
  return records.map((record) => timed<CompactionEvent>(record))
}

/** How many compactions fall into [from, to), in milliseconds. Resets do not count. */
export async function countCompactions(
  { prisma }: Pick<Database, 'prisma'>,
  { from, to }: { from: number; to: number },
): Promise<number> {
  return prisma.compaction.count({
    where: { kind: 'compaction', at: { gte: new Date(from), lt: new Date(to) } },
  })
}

/** Calls that ended in an error among the last calls of the newest sessions, newest first. */
export async function findFailedCalls(
  { prisma }: Pick<Database, 'prisma'>,
  limit: number,
): Promise<readonly FailedCall[]> {
  const records = await prisma.$queryRaw<Timed<FailedCall>[]>`
    SELECT s."id", s."sessionId", s."name", s."key", s."agent", s."channel", c."at", c."n" AS "call", c."stopReason"
    FROM (SELECT "row", "id", "sessionId", "name", "key", "agent", "channel", "calls" FROM "Session" WHERE "calls" > 0 ORDER BY "updatedAt" DESC LIMIT ${SESSIONS_SEARCHED}) s
    JOIN "Call" c ON c."sessionRow" = s."row" AND c."n" > s."calls" - ${CALLS_SEARCHED}
    WHERE c."stopReason" = 'error' AND c."at" IS NOT NULL ORDER BY c."at" DESC LIMIT ${limit}`
  return records.map((record) => timed<FailedCall>(record))
}

/** Sessions with lines that could not be read, the last changed first. */
export async function findUnreadableLines(
  { prisma }: Pick<Database, 'prisma'>,
  limit: number,
): Promise<readonly UnreadableLines[]> {
  const records = await prisma.$queryRaw<Timed<UnreadableLines>[]>`
    SELECT s."id", s."sessionId", s."name", s."key", s."agent", s."channel", s."updatedAt" AS "at", s."unreadable"
    FROM "Session" s WHERE s."unreadable" > 0 AND s."updatedAt" IS NOT NULL
    ORDER BY s."updatedAt" DESC LIMIT ${limit}`
  return records.map((record) => timed<UnreadableLines>(record))
}
