import { recoverableUntil } from '../../core/cold/retention'
import type { ColdChunk } from './cold-store'
import type { ColdPorts } from './drop-to-cold'

/** What became of a chunk that was to be kept longer. `until`: milliseconds since the epoch; null: unknown. */
type Extension =
  | { readonly kind: 'extended'; readonly until: number }
  /** It is kept at least as long already. */
  | { readonly kind: 'unchanged'; readonly until: number | null }
  /** It was purged meanwhile. */
  | { readonly kind: 'gone'; readonly until: number | null }

/** Keeps a chunk for so many days from now on, also one that has expired and was not purged yet. */
export async function extendChunk(
  { store, now }: ColdPorts,
  chunk: ColdChunk,
  days: number,
): Promise<Extension> {
  const until = recoverableUntil(now(), days)
  if (chunk.until !== null && until <= chunk.until) return { kind: 'unchanged', until: chunk.until }
  const changed = (await store.extend([chunk], until)) > 0
  return changed ? { kind: 'extended', until } : { kind: 'gone', until: chunk.until }
}
