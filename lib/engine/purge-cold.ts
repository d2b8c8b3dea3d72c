import type { PurgePlan } from '../core/cold/retention'
import type { ColdChunk, ColdProblem, ColdStore } from './cold-store'
import type { ColdFinder } from './search-cold'

export type Purge = PurgePlan<ColdChunk> & {
  /** null in a dry run. */
  readonly removed: number | null
  /** Files that are no chunks; they are left alone. */
  readonly problems: readonly ColdProblem[]
}

/**
 * Takes away what has expired (I3), for good. Without `apply` it only says what that would be. What somebody keeps longer
 * meanwhile stays: each file is read once more before it goes.
 */
export async function purgeCold(
  store: Pick<ColdStore, 'remove'>,
  finder: Pick<ColdFinder, 'expired'>,
  { apply }: { readonly apply: boolean },
): Promise<Purge> {
  const { chunks: remove, keep, problems } = await finder.expired()
  // Unknown ones count nothing.
  const tokens = remove.reduce((sum, chunk) => sum + (chunk.tokens ?? 0), 0)
  if (!apply) return { remove, keep, tokens, removed: null, problems }
  return { remove, keep, tokens, removed: remove.length === 0 ? 0 : await store.remove(remove), problems }
}
