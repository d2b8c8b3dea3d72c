import type { SearchTexts } from './search-texts'

/** Full-text search over entries, beside the database: an index that can be made again at any time. */
export type SearchHit = {
  readonly sessionRow: number
  readonly seq: number
  /** bm25: the lower, the better; 0 for hits that were not ranked. */
  readonly rank: number
}

/**
 * Entries of one session whose words can be found; all others of its entries from `from` on leave the index. Several
 * of one session that are written together go on where the one before ended.
 */
export type SearchWrite = {
  readonly sessionRow: number
  /** First sequence number that is written now; 0 empties the session's part first. */
  readonly from: number
  readonly texts: SearchTexts
}

/** Where an import puts the words of what it reads. */
export interface SearchSink {
  /** Resolves when all of it is committed. */
  write(writes: readonly SearchWrite[]): Promise<void>
}

/** The index as a whole. */
export interface Search extends SearchSink {
  /** The import that this index belongs to; null for a new one. */
  readonly token: string | null

  /** Empties the index and says which import it belongs to from now on. */
  reset(token: string): Promise<void>

  /**
   * Entries in which the words of a query occur, the best or the newest first.
   * @param query what a person typed
   * @param sessionRow only within this session
   */
  find(query: string, limit: number, sessionRow?: number): readonly SearchHit[]

  close(): void
}
