import type { Database } from '../client'
import type { EventSession } from './recent-events'

/** A line that could not be read, where it stands, and why. */
export type UnreadableEntry = EventSession & {
  readonly storeId: string
  readonly path: string
  readonly seq: number
  readonly line: number
  readonly bytes: number
  readonly problem: string | null
}

/** How often an entry type that we do not know occurs in a store. */
export type UnknownType = {
  readonly storeId: string
  readonly type: string
  readonly count: number
  /** One place where it stands. */
  readonly sample: { readonly id: string; readonly seq: number; readonly line: number }
}

/** A transcript that cannot be read at all, or not on. */
export type BrokenSession = EventSession & {
  readonly storeId: string
  readonly path: string
  readonly problem: string
}

/** Sessions whose entries are looked through, the last changed first: each costs a walk over its entries. */
const SESSIONS_SEARCHED = 60

/** Unreadable lines of the sessions that changed last, in the order of the files. */
export async function findUnreadableEntries(
  { prisma }: Pick<Database, 'prisma'>,
  limit: number,
): Promise<readonly UnreadableEntry[]> {
  return prisma.$queryRaw<UnreadableEntry[]>`
    SELECT s."id", s."sessionId", s."name", s."key", s."agent", s."channel", s."storeId", s."path", e."seq", e."line",
      e."bytes", e."problem"
    FROM (SELECT "row" AS r FROM "Session" WHERE "unreadable" > 0 ORDER BY "updatedAt" DESC LIMIT ${SESSIONS_SEARCHED}) f
    JOIN "Session" s ON s."row" = f.r
    JOIN "OddEntry" e ON e."sessionRow" = f.r AND e."type" = 'unreadable'
    ORDER BY s."updatedAt" DESC, s."row", e."seq" LIMIT ${limit}`
}

/** Entry types that we do not know, counted over the sessions that changed last. */
export async function countUnknownTypes(
  { prisma }: Pick<Database, 'prisma'>,
  limit: number,
): Promise<readonly UnknownType[]> {
  const records = await prisma.$queryRaw<
    { id: string; storeId: string; seq: number; line: number; rawType: string | null }[]
  >`
    SELECT s."id", s."storeId", e."seq", e."line", e."rawType"
    FROM (SELECT "row" AS r FROM "Session" WHERE "unknownTypes" > 0 ORDER BY "updatedAt" DESC LIMIT ${SESSIONS_SEARCHED}) f
    JOIN "Session" s ON s."row" = f.r
    JOIN "OddEntry" e ON e."sessionRow" = f.r AND e."type" = 'unknown'
    ORDER BY s."updatedAt" DESC, s."row", e."seq" LIMIT ${limit}`
  const types = new Map<string, UnknownType>()
  for (const { id, storeId, seq, line, rawType } of records) {
    const type = rawType ?? '(none)'
    const key = `${storeId} ${type}`
    const known = types.get(key)
    types.set(key, {
      storeId,
      type,
      count: (known?.count ?? 0) + 1,
      sample: known?.sample ?? { id, seq, line },
    })
  }
  return [...types.values()].sort((a, b) => b.count - a.count)
}

/** Transcripts with a problem of their own, the last changed first. */
export async function findBrokenSessions(
  { prisma }: Pick<Database, 'prisma'>,
  limit: number,
): Promise<readonly BrokenSession[]> {
  return prisma.$queryRaw<BrokenSession[]>`
    SELECT s."id", s."sessionId", s."name", s."key", s."agent", s."channel", s."storeId", s."path", s."problem"
    FROM "Session" s WHERE s."problem" IS NOT NULL ORDER BY s."updatedAt" DESC LIMIT ${limit}`
}
