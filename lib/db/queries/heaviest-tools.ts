import * as z from 'zod'
import type { ToolSum } from '../../core/transcript/fold/tool-sum'
import type { Database } from '../client'
import { rowsOf } from '../rows'
import { REPEATING_ROWS } from './copies'

const TOOL = z.object({
  tool: z.string(),
  sessions: z.number(),
  calls: z.number(),
  failed: z.number(),
  resultTokens: z.number(),
  largest: z.number(),
  sentTokens: z.number(),
})

/**
 * The tools of which most was sent in sessions that changed in [from, to), in milliseconds, the heaviest first. Copies of
 * a session count once.
 */
export function findHeaviestTools(
  { connection }: Pick<Database, 'connection'>,
  { from, to, limit }: { readonly from: number; readonly to: number; readonly limit: number },
): readonly ToolSum[] {
  const answer = connection.run(
    `SELECT t."tool", COUNT(*) AS "sessions", SUM(t."calls") AS "calls", SUM(t."failed") AS "failed",
      SUM(t."resultTokens") AS "resultTokens", MAX(t."largest") AS "largest", SUM(t."sentTokens") AS "sentTokens"
     FROM "SessionTool" t JOIN "Session" s ON s."row" = t."sessionRow"
     WHERE s."updatedAt" >= ? AND s."updatedAt" < ? AND t."sessionRow" NOT IN (${REPEATING_ROWS})
     GROUP BY t."tool" ORDER BY SUM(t."sentTokens") DESC, SUM(t."resultTokens") DESC, t."tool" LIMIT ?`,
    [from, to, limit],
  )
  return rowsOf(TOOL, answer)
}
