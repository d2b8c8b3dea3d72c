import type { PurgePlan } from '../../core/cold/retention'
import type { ColdChunk, ColdProblem, ColdStore } from './cold-store'
import type { ColdFinder } from './search-cold'

export type Purge = PurgePlan<ColdChunk> & {
  /** null in a dry run, and when it is not what was agreed to. */
  readonly removed: number | null
  /** Files that are no chunks; they are left alone. */
  readonly problems: readonly ColdProblem[]
}

type PurgeWish = {
  readonly apply: boolean
  /** Whether these chunks are those that were shown before; left out: whatever has expired. */
  readonly agreed?: (remove: readonly ColdChunk[]) => boolean
}

/**
 * Takes away what has expired, for good. Without `apply` it only says what that would be. What got a longer time
 * meanwhile stays: each file is read once more before it goes.
 */
export async function purgeCold(
  store: Pick<ColdStore, 'remove'>,
  finder: Pick<ColdFinder, 'expired'>,
  { apply, agreed }: PurgeWish,
): Promise<Purge> {
  const { chunks: remove, keep, problems } = await finder.expired()
  // Unknown ones count nothing.
  const tokens = remove.reduce((sum, chunk) => sum + (chunk.tokens ?? 0), 0)
  if (!apply || agreed?.(remove) === false) return { remove, keep, tokens, removed: null, problems }
  return { remove, keep, tokens, removed: remove.length === 0 ? 0 : await store.remove(remove), problems }
}
