import type { Database } from '../client'
import { millisecondsOf } from './session-summary'

/** A store with the counts of its sessions. Times in milliseconds. */
export type StoreSummary = {
  readonly id: string
  readonly kind: string
  readonly era: string
  readonly root: string
  readonly label: string
  readonly state: string
  readonly problem: string | null
  readonly lastReadAt: number | null
  readonly sessions: number
  readonly archived: number
  readonly gone: number
  readonly broken: number
  readonly entries: number
  readonly bytes: number
  readonly unreadable: number
  readonly unknownTypes: number
}

type Counts =
  | 'sessions'
  | 'archived'
  | 'gone'
  | 'broken'
  | 'entries'
  | 'bytes'
  | 'unreadable'
  | 'unknownTypes'
type StoreRecord = Omit<StoreSummary, Counts | 'lastReadAt'> & {
  readonly [C in Counts]: number | bigint | null
} & { readonly lastReadAt: unknown }

/** Every store that was ever found, those with a problem first. */
export async function findStoreSummaries({
  prisma,
}: Pick<Database, 'prisma'>): Promise<readonly StoreSummary[]> {
  const records = await prisma.$queryRaw<StoreRecord[]>`
    SELECT t."id", t."kind", t."era", t."root", t."label", t."state", t."problem", t."lastReadAt",
      COUNT(s."row") AS "sessions",
      SUM(CASE WHEN s."state" NOT IN ('live', 'gone') THEN 1 ELSE 0 END) AS "archived",
      SUM(CASE WHEN s."state" = 'gone' THEN 1 ELSE 0 END) AS "gone",
      SUM(CASE WHEN s."problem" IS NOT NULL THEN 1 ELSE 0 END) AS "broken",
      SUM(s."entries") AS "entries", SUM(s."bytes") AS "bytes", SUM(s."unreadable") AS "unreadable",
      SUM(s."unknownTypes") AS "unknownTypes"
    FROM "Store" t LEFT JOIN "Session" s ON s."storeId" = t."id"
    GROUP BY t."id" ORDER BY t."state" = 'ok', t."label", t."root"`
  return records.map((record) => ({
    ...record,
    lastReadAt: millisecondsOf(record.lastReadAt),
    sessions: Number(record.sessions ?? 0),
    archived: Number(record.archived ?? 0),
    gone: Number(record.gone ?? 0),
    broken: Number(record.broken ?? 0),
    entries: Number(record.entries ?? 0),
    bytes: Number(record.bytes ?? 0),
    unreadable: Number(record.unreadable ?? 0),
    unknownTypes: Number(record.unknownTypes ?? 0),
  }))
}

/** Paths of all stores that are there. */
export async function findStoreRoots({ prisma }: Pick<Database, 'prisma'>): Promise<readonly string[]> {
  const stores = await prisma.store.findMany({
    where: { state: { not: 'missing' } },
    select: { root: true },
  })
  return stores.map((store) => store.root)
}
