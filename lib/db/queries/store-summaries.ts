import * as z from 'zod'
import type { Database } from '../client'
import { rowsOf } from '../rows'

/** A store with the counts of its sessions. `lastReadAt` in milliseconds, `bytes` of all its transcripts. */
const STORE = z.object({
  id: z.string(),
  kind: z.string(),
  era: z.string(),
  root: z.string(),
  label: z.string(),
  state: z.string(),
  problem: z.string().nullable(),
  /** Why it could not be judged as a whole the last time, or not all of it. */
  findingsProblem: z.string().nullable(),
  lastReadAt: z.number().nullable(),
  sessions: z.number(),
  archived: z.number(),
  gone: z.number(),
  broken: z.number(),
  entries: z.number(),
  bytes: z.number(),
  unreadable: z.number(),
  unknownTypes: z.number(),
})

/** Every store that was ever found, those with a problem first. */
export function findStoreSummaries({
  connection,
}: Pick<Database, 'connection'>): readonly Readonly<z.output<typeof STORE>>[] {
  const answer = connection.run(
    `SELECT t."id", t."kind", t."era", t."root", t."label", t."state", t."problem", t."findingsProblem", t."lastReadAt",
      COUNT(s."row") AS "sessions",
      SUM(CASE WHEN s."state" NOT IN ('live', 'gone') THEN 1 ELSE 0 END) AS "archived",
      SUM(CASE WHEN s."state" = 'gone' THEN 1 ELSE 0 END) AS "gone",
      SUM(CASE WHEN s."problem" IS NOT NULL THEN 1 ELSE 0 END) AS "broken",
      COALESCE(SUM(s."entries"), 0) AS "entries", COALESCE(SUM(s."bytes"), 0) AS "bytes",
      COALESCE(SUM(s."unreadable"), 0) AS "unreadable", COALESCE(SUM(s."unknownTypes"), 0) AS "unknownTypes"
     FROM "Store" t LEFT JOIN "Session" s ON s."storeId" = t."id"
     GROUP BY t."id" ORDER BY t."state" = 'ok', t."label", t."root"`,
  )
  return rowsOf(STORE, answer)
}

const HEALTH = STORE.pick({
  ...{ id: true, kind: true, root: true, label: true, state: true, problem: true, findingsProblem: true },
  lastReadAt: true,
})

/** Every store with what is wrong with it, without a look at its sessions. */
export function findStoreHealth({
  connection,
}: Pick<Database, 'connection'>): readonly Readonly<z.output<typeof HEALTH>>[] {
  const columns = '"id", "kind", "root", "label", "state", "problem", "findingsProblem", "lastReadAt"'
  return rowsOf(HEALTH, connection.run(`SELECT ${columns} FROM "Store" ORDER BY "label", "root"`))
}

const ROOT = STORE.pick({ root: true })

/** Paths of all stores that are there. Asked for by the first page of all: Prisma takes 0.4 s to get ready in a process. */
export function findStoreRoots({ connection }: Pick<Database, 'connection'>): readonly string[] {
  const answer = connection.run(`SELECT "root" FROM "Store" WHERE "state" <> 'missing'`)
  return rowsOf(ROOT, answer).map(({ root }) => root)
}
