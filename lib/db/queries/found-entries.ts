import type { EntryFact } from '../../core/transcript/entry'
import type { Database } from '../client'
import { readBlocks } from '../entry-blocks'

/**
 * Some entries, one per session at most.
 * @returns entries by session row; one that is not there any more is absent
 */
export function readFoundEntries(
  { connection }: Pick<Database, 'connection'>,
  places: readonly { readonly row: number; readonly seq: number }[],
): ReadonlyMap<number, EntryFact> {
  return new Map(
    places.flatMap(({ row, seq }) => {
      const facts = readBlocks(connection, row, seq, seq).flatMap((block) => block.facts)
      const fact = facts.find((candidate) => candidate.seq === seq)
      return fact === undefined ? [] : [[row, fact] as const]
    }),
  )
}
