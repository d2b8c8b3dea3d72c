import type { Database } from '../client'
import { Prisma } from '../generated/client'
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

type Timed<T> = Omit<T, 'at'> & { readonly at: unknown }

function timed<T extends { readonly at: number | null }>(record: Timed<T>): T {
  return { ...record, at: millisecondsOf(record.at) } as T
}

/** Prompt sizes of the calls around a compaction `c`. */
const PROMPTS = Prisma.sql`
      (SELECT json_extract(b."totalsJson", '$[' || (c."afterCall" - b."firstN") || ']') FROM "CallBlock" b
       WHERE b."sessionRow" = c."sessionRow" AND b."firstN" <= c."afterCall" ORDER BY b."firstN" DESC LIMIT 1) AS "promptBefore",
      (SELECT json_extract(a."totalsJson", '$[' || (c."afterCall" + 1 - a."firstN") || ']') FROM "CallBlock" a
       WHERE a."sessionRow" = c."sessionRow" AND a."firstN" <= c."afterCall" + 1 ORDER BY a."firstN" DESC LIMIT 1) AS "promptAfter"`

/** A compaction as the charts by day need it. */
export type CompactionFact = Pick<CompactionEvent, 'at' | 'promptBefore' | 'promptAfter'> & {
  readonly midTask: boolean
}

/** Compactions of all sessions in [from, to), in milliseconds; no resets. In the order of time. */
export async function findCompactionsBetween(
  { prisma }: Pick<Database, 'prisma'>,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly CompactionFact[]> {
  const records = await prisma.$queryRaw<(Timed<CompactionFact> & { readonly midTask: unknown })[]>`
    SELECT c."at", c."midTask", ${PROMPTS} FROM "Compaction" c
    WHERE c."kind" = 'compaction' AND c."at" >= ${from} AND c."at" < ${to} ORDER BY c."at"`
  return records.map((record) => ({
    ...timed<CompactionFact>(record),
    midTask: Number(record.midTask) === 1,
  }))
}

/** Compactions and resets of all sessions, newest first. */
export async function findRecentCompactions(
  { prisma }: Pick<Database, 'prisma'>,
  limit: number,
): Promise<readonly CompactionEvent[]> {
  const records = await prisma.$queryRaw<Timed<CompactionEvent>[]>`
    SELECT s."id", s."sessionId", s."name", s."key", s."agent", s."channel", c."at", c."kind", c."afterCall",
      c."tokensBefore", c."tokensAfter",
      ${PROMPTS}
    FROM "Compaction" c JOIN "Session" s ON s."row" = c."sessionRow"
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

/** Calls that ended in an error, newest first. */
export async function findFailedCalls(
  { prisma }: Pick<Database, 'prisma'>,
  limit: number,
): Promise<readonly FailedCall[]> {
  const records = await prisma.$queryRaw<Timed<FailedCall>[]>`
    SELECT s."id", s."sessionId", s."name", s."key", s."agent", s."channel", c."at", c."n" AS "call", c."stopReason"
    FROM "FailedCall" c JOIN "Session" s ON s."row" = c."sessionRow"
    WHERE c."at" IS NOT NULL ORDER BY c."at" DESC LIMIT ${limit}`
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
