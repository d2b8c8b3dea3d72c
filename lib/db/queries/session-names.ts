import * as z from 'zod'
import type { Database } from '../client'
import { Prisma } from '../generated/client'
import { rowsOfSql } from '../rows'

const ROW = z.object({ row: z.number() })

/**
 * Rows of sessions whose name, key, id, agent or working folder contain all of the words, newest first. Upper and lower
 * case are the same as far as the database folds them.
 */
export function findSessionsByName(
  { connection }: Pick<Database, 'connection'>,
  { words, limit }: { words: readonly string[]; limit: number },
): readonly number[] {
  if (words.length === 0) return []
  const names = Prisma.sql`LOWER(COALESCE(s."name", '') || ' ' || COALESCE(s."key", '') || ' ' || s."sessionId" || ' ' ||
    COALESCE(s."agent", '') || ' ' || COALESCE(s."cwd", ''))`
  const all = Prisma.join(
    words.map((word) => Prisma.sql`${names} LIKE ${`%${escapeLike(word.toLowerCase())}%`} ESCAPE '!'`),
    ' AND ',
  )
  const query = Prisma.sql`
    SELECT s."row" FROM "Session" s WHERE ${all} ORDER BY s."updatedAt" DESC LIMIT ${limit}`
  return rowsOfSql(ROW, connection, query).map(({ row }) => row)
}

function escapeLike(text: string): string {
  return text.replace(/[!%_]/g, (character) => `!${character}`)
}
