import { maskSecrets } from '../../core/redaction/secrets'
import { fileFlaws } from '../../core/transcript/file-flaws'
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
  /** Unreadable lines of the same transcript, all together. */
  readonly inTranscript: number
}

/** How often an entry type that we do not know occurs in a store. */
export type UnknownType = {
  readonly storeId: string
  readonly type: string
  readonly count: number
  /** One place where it stands. */
  readonly sample: { readonly id: string; readonly seq: number; readonly line: number }
}

/** A transcript that cannot be read at all, or not on, or that is damaged as a file. */
export type BrokenSession = EventSession & {
  readonly storeId: string
  readonly path: string
  readonly problem: string
}

type Count = number | bigint

type Damaged = Omit<BrokenSession, 'problem'> & {
  readonly problem: string | null
  readonly entries: Count
  readonly unreadable: Count
  readonly version: Count
}

/**
 * Unreadable lines, those of the sessions that changed last first, in the order of the files; the first few of each
 * transcript, so that a file of rubbish does not hide the others.
 */
export async function findUnreadableEntries(
  { prisma }: Pick<Database, 'prisma'>,
  limit: number,
  perTranscript: number,
): Promise<readonly UnreadableEntry[]> {
  // The sessions first: a file of rubbish has a million of these lines, and few of them are looked at.
  const entries = await prisma.$queryRaw<UnreadableEntry[]>`
    SELECT s."id", s."sessionId", s."name", s."key", s."agent", s."channel", s."storeId", s."path", e."seq", e."line",
      e."bytes", e."problem", s."unreadable" AS "inTranscript"
    FROM (SELECT * FROM "Session" WHERE "unreadable" > 0 ORDER BY "updatedAt" DESC, "row" LIMIT ${limit}) s
    JOIN "OddEntry" e ON e."sessionRow" = s."row" AND e."seq" IN (
      SELECT o."seq" FROM "OddEntry" o
      WHERE o."sessionRow" = s."row" AND o."type" = 'unreadable' ORDER BY o."seq" LIMIT ${perTranscript})
    ORDER BY s."updatedAt" DESC, s."row", e."seq" LIMIT ${limit}`
  // The reason why a line cannot be read quotes the line.
  return entries.map((entry) => ({
    ...entry,
    line: Number(entry.line),
    seq: Number(entry.seq),
    bytes: Number(entry.bytes),
    inTranscript: Number(entry.inTranscript),
    problem: entry.problem === null ? null : maskSecrets(entry.problem),
  }))
}

/** Entry types that we do not know, by store, the most frequent first. */
export async function countUnknownTypes(
  { prisma }: Pick<Database, 'prisma'>,
  limit: number,
): Promise<readonly UnknownType[]> {
  const counted = await prisma.$queryRaw<
    { storeId: string; rawType: string | null; n: number | bigint; row: number | bigint }[]
  >`
    SELECT s."storeId", e."rawType", COUNT(*) AS n, MAX(e."sessionRow") AS "row"
    FROM "OddEntry" e JOIN "Session" s ON s."row" = e."sessionRow"
    WHERE e."type" = 'unknown' GROUP BY s."storeId", e."rawType" ORDER BY n DESC, e."rawType" LIMIT ${limit}`
  const types = await Promise.all(
    counted.map(async ({ storeId, rawType, n, row }) => {
      const sample = await prisma.oddEntry.findFirst({
        where: { sessionRow: Number(row), type: 'unknown', rawType },
        orderBy: { seq: 'asc' },
        select: { seq: true, line: true, session: { select: { id: true } } },
      })
      // Between the two questions the session may have been read anew.
      if (sample === null) return []
      const { seq, line, session } = sample
      return [{ storeId, type: rawType ?? '(none)', count: Number(n), sample: { id: session.id, seq, line } }]
    }),
  )
  return types.flat()
}

/** Transcripts with a problem of their own, or without a header, the last changed first. */
export async function findBrokenSessions(
  { prisma }: Pick<Database, 'prisma'>,
  limit: number,
): Promise<readonly BrokenSession[]> {
  const found = await prisma.$queryRaw<Damaged[]>`
    SELECT s."id", s."sessionId", s."name", s."key", s."agent", s."channel", s."storeId", s."path", s."problem",
      s."entries", s."unreadable", s."version"
    FROM "Session" s WHERE s."problem" IS NOT NULL OR (s."version" = 0 AND s."entries" > 0)
    ORDER BY s."updatedAt" DESC LIMIT ${limit}`
  return found.map(({ problem, entries, unreadable, version, ...session }) => {
    const facts = { entries: Number(entries), unreadable: Number(unreadable), version: Number(version) }
    const [flaw] = fileFlaws({ ...facts, unfinished: null })
    return { ...session, problem: problem ?? flaw?.text ?? '' }
  })
}
