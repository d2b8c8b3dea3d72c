import * as z from 'zod'
import type { AgentFigures } from '../../core/transcript/agent-figures'
import { MOST_AGENT_DEPTH } from '../../core/transcript/agent-links'
import type { Database } from '../client'
import { Prisma } from '../generated/client'
import { rowOf, rowsOf } from '../rows'

/** No page shows more sub-agents of one session. */
const MOST_AGENTS = 500

const kindOf = (t: string): string => `(SELECT k."kind" FROM "Store" k WHERE k."id" = ${t}."storeId")`

/** Session `p` is what `c` works for, whose bill is `b`; by the rule of core/transcript/agent-links.ts. */
const worksFor = (c: string, b: string, p: string): string =>
  `${p}."row" <> ${c}."row" AND ((${p}."sessionId" = ${b}."parent" AND ${kindOf(p)} = ${kindOf(c)})
    OR (${p}."key" = ${b}."parent" AND ${p}."storeId" = ${c}."storeId"))`

/** Whether session `s` is a sub-agent of one that is listed itself. `among` restricts which others are examined. */
export const IS_AGENT = (among = ''): string =>
  `EXISTS (SELECT 1 FROM "SessionBill" b JOIN "Session" h ON ${worksFor('s', 'b', 'h')}
     WHERE b."sessionRow" = s."row" AND b."parent" IS NOT NULL${among})`

/** How many sub-agents session `s` has, without theirs. */
export const AGENT_COUNT = Prisma.raw(
  `(SELECT COUNT(*) FROM "SessionBill" b JOIN "Session" c ON c."row" = b."sessionRow" AND c."state" = 'live'
     WHERE b."parent" IN (s."sessionId", s."key") AND ${worksFor('c', 'b', 's')})`,
)

/** Rows of a session and all below it, with how far down each is, up to where the session is named. */
const TREE = `WITH RECURSIVE tree("row", "depth", "above") AS (SELECT "row", 0, NULL FROM "Session" WHERE `
/** The rest of it. A ring, as files may claim, ends. */
const BELOW = `
    UNION SELECT c."row", tree."depth" + 1, p."row" FROM tree JOIN "Session" p ON p."row" = tree."row"
      JOIN "SessionBill" b ON b."parent" IN (p."sessionId", p."key")
      JOIN "Session" c ON c."row" = b."sessionRow" AND c."state" = 'live'
      WHERE tree."depth" < ${MOST_AGENT_DEPTH} AND ${worksFor('c', 'b', 'p')} LIMIT ${MOST_AGENTS})`

/** Session `s` is the one with this public id, or works for it. */
export function isInTreeOf(id: string): Prisma.Sql {
  return Prisma.sql`s."row" IN (${Prisma.raw(TREE)}"id" = ${id}${Prisma.raw(BELOW)} SELECT "row" FROM tree)`
}

/** One session of a tree, with its row and its names. */
export type AgentRow = AgentFigures & {
  readonly row: number
  readonly sessionId: string
  readonly name: string | null
  readonly key: string | null
}

const ROW = z.object({
  row: z.number(),
  id: z.string(),
  sessionId: z.string(),
  name: z.string().nullable(),
  key: z.string().nullable(),
  agent: z.string().nullable(),
  model: z.string().nullable(),
  depth: z.number(),
  above: z.number().nullable(),
  calls: z.number(),
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  costUsd: z.number().nullable(),
  listUsd: z.number().nullable(),
  unpriced: z.number(),
  largest: z.number().nullable(),
  besides: z.number(),
  besidesTokens: z.number(),
  besidesUsd: z.number().nullable(),
  updatedAt: z.number().nullable(),
})

/** A session and its sub-agents with theirs, each behind the one that it works for, the newest first. */
export function readAgentTree({ connection }: Pick<Database, 'connection'>, row: number): AgentRow[] {
  const answer = connection.run(
    `${TREE}"row" = ?${BELOW} SELECT s."row", s."id", s."sessionId", s."name", s."key", s."agent", s."model",
      MIN(tree."depth") AS "depth", tree."above", s."calls", s."inputTokens" AS "input", s."outputTokens" AS "output",
      s."cacheReadTokens" AS "cacheRead", s."cacheWriteTokens" AS "cacheWrite", s."costUsd",
      b."listUsd", COALESCE(b."unpriced", 0) AS "unpriced", b."largest", COALESCE(b."besides", 0) AS "besides",
      COALESCE(b."besidesTokens", 0) AS "besidesTokens", b."besidesUsd", s."updatedAt"
     FROM tree JOIN "Session" s ON s."row" = tree."row" LEFT JOIN "SessionBill" b ON b."sessionRow" = s."row"
     GROUP BY s."row" ORDER BY s."updatedAt" DESC, s."row"`,
    [row],
  )
  const rows = rowsOf(ROW, answer)
  const inOrder: AgentRow[] = []
  const walk = (one: (typeof rows)[number]) => {
    const { above: _, ...agent } = one
    inOrder.push(agent)
    for (const child of rows) if (child.above === one.row && child.depth === one.depth + 1) walk(child)
  }
  for (const one of rows) if (one.depth === 0) walk(one)
  return inOrder
}

const PARENT = z.object({
  id: z.string(),
  sessionId: z.string(),
  name: z.string().nullable(),
  key: z.string().nullable(),
})

/** The session that a sub-agent works for; null: it is none, or that session is not read. */
export function findAgentParent(
  { connection }: Pick<Database, 'connection'>,
  row: number,
): z.output<typeof PARENT> | null {
  return rowOf(
    PARENT,
    connection.run(
      `SELECT p."id", p."sessionId", p."name", p."key" FROM "Session" c JOIN "SessionBill" b ON b."sessionRow" = c."row"
       JOIN "Session" p ON ${worksFor('c', 'b', 'p')} WHERE c."row" = ?
       ORDER BY p."state" = 'live' DESC, p."updatedAt" DESC LIMIT 1`,
      [row],
    ),
  )
}
