import type { Database } from '../client'
import { readBlocks } from '../entry-blocks'

/**
 * The first characters of some entries, one per session at most.
 * @returns previews by session row; an entry without one is absent
 */
export async function readPreviews(
  { connection }: Pick<Database, 'connection'>,
  places: readonly { readonly row: number; readonly seq: number }[],
): Promise<ReadonlyMap<number, string>> {
  return new Map(
    places.flatMap(({ row, seq }) => {
      const facts = readBlocks(connection, row, seq, seq).flatMap((block) => block.facts)
      const preview = facts.find((fact) => fact.seq === seq)?.preview
      return preview === undefined ? [] : [[row, preview] as const]
    }),
  )
}
