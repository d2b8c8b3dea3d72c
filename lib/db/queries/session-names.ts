import type { Database } from '../client'
import { Prisma } from '../generated/client'

/**
 * Rows of sessions whose name, key, id, agent or working folder contain all of the words, newest first. Upper and lower
 * case are the same as far as the database folds them.
 */
export async function findSessionsByName(
  { prisma }: Pick<Database, 'prisma'>,
  { words, limit }: { words: readonly string[]; limit: number },
): Promise<readonly number[]> {
  if (words.length === 0) return []
  const names = Prisma.sql`LOWER(COALESCE(s."name", '') || ' ' || COALESCE(s."key", '') || ' ' || s."sessionId" || ' ' ||
    COALESCE(s."agent", '') || ' ' || COALESCE(s."cwd", ''))`
  const all = Prisma.join(
    words.map((word) => Prisma.sql`${names} LIKE ${`%${escapeLike(word.toLowerCase())}%`} ESCAPE '!'`),
    ' AND ',
  )
  const records = await prisma.$queryRaw<{ row: number }[]>`
    SELECT s."row" FROM "Session" s WHERE ${all} ORDER BY s."updatedAt" DESC LIMIT ${limit}`
  return records.map((record) => Number(record.row))
}

function escapeLike(text: string): string {
  return text.replace(/[!%_]/g, (character) => `!${character}`)
}
