import type { Database } from '../client'
import { Prisma } from '../generated/client'

/**
 * The first characters of some entries, one per session at most.
 * @returns previews by session row; an entry without one is absent
 */
export async function readPreviews(
  { prisma }: Pick<Database, 'prisma'>,
  places: readonly { readonly row: number; readonly seq: number }[],
): Promise<ReadonlyMap<number, string>> {
  if (places.length === 0) return new Map()
  const pairs = Prisma.join(places.map(({ row, seq }) => Prisma.sql`(${row}, ${seq})`))
  const records = await prisma.$queryRaw<{ row: number; preview: string | null }[]>`
    SELECT "sessionRow" AS "row", "preview" FROM "Entry" WHERE ("sessionRow", "seq") IN (VALUES ${pairs})`
  return new Map(
    records.flatMap(({ row, preview }) => (preview === null ? [] : [[Number(row), preview] as const])),
  )
}
