import type { Milliseconds } from '../../core/units/units'
import type { FoundTranscript } from '../../engine/read/ports'

type Seen = { readonly context: object; readonly found: FoundTranscript }

/** Transcripts as a store was last listed: one whose stat and surroundings are the same need not be described anew. */
export class ListingCache {
  private readonly stores = new Map<string, Map<string, Seen>>()

  /** Begins a listing. What it does not come across is forgotten. */
  begin(storeId: string): CachedListing {
    const listing = new CachedListing(this.stores.get(storeId) ?? new Map())
    this.stores.set(storeId, listing.now)
    return listing
  }
}

/** One listing of one store. */
export class CachedListing {
  readonly now = new Map<string, Seen>()
  private readonly before: ReadonlyMap<string, Seen>

  constructor(before: ReadonlyMap<string, Seen>) {
    this.before = before
  }

  /** The transcript as last described, if its file and `context` (by identity) are the same. */
  get(
    file: string,
    context: object,
    stat: Readonly<{ dev: number; ino: number; size: number; mtimeMs: Milliseconds }>,
  ): FoundTranscript | null {
    const seen = this.before.get(file)
    if (seen === undefined || seen.context !== context) return null
    const { stamp } = seen.found
    const same =
      stamp.mtimeMs === stat.mtimeMs &&
      stamp.size === stat.size &&
      stamp.ino === stat.ino &&
      stamp.dev === stat.dev
    if (!same) return null
    this.now.set(file, seen)
    return seen.found
  }

  /** Whether the listing before came across a file. */
  hadBefore(file: string): boolean {
    return this.before.has(file)
  }

  add(file: string, context: object, found: FoundTranscript): FoundTranscript {
    this.now.set(file, { context, found })
    return found
  }
}
