import { isExpired, planPurge } from '../../core/cold/retention'
import { PassageIndex } from '../../core/relevance/passage-index'
import type { Milliseconds } from '../../core/units/units'
import type { ColdChunk, ColdProblem, ColdStore } from './cold-store'

/** Which chunks are wanted; null does not ask. Times in milliseconds since the epoch. */
export type ColdFilter = {
  readonly session: string | null
  readonly reason: string | null
  /** Scores from and up to, both included. A chunk without a score fits only when neither is asked for. */
  readonly minScore: number | null
  readonly maxScore: number | null
  /** A chunk without the time of its drop fits only when neither is asked for. */
  readonly since: number | null
  readonly until: number | null
  /** Expired chunks, too, or nothing else; they are not offered otherwise. */
  readonly expired: boolean | 'only'
}

export const ANY_CHUNK: ColdFilter = {
  session: null,
  reason: null,
  minScore: null,
  maxScore: null,
  since: null,
  until: null,
  expired: false,
}

/**
 * `rank` is how much a chunk has to do with the words that were searched for, 0 … 1: from 0.5 on it is likely to have
 * what they ask for. null when there were none.
 */
export type FoundChunk = { readonly chunk: ColdChunk; readonly rank: number | null }

export type ColdSearch = {
  /** Best first; without words the newest first. */
  readonly found: readonly FoundChunk[]
  /** Chunks that fit the filter; null when there were words, and nothing was counted. */
  readonly matching: number | null
  readonly problems: readonly ColdProblem[]
}

/** What a purge would take, newest first, each as its file says it now. */
export type ExpiredChunks = {
  readonly chunks: readonly ColdChunk[]
  /** Chunks that have not expired. */
  readonly keep: number
  readonly problems: readonly ColdProblem[]
}

/** Finds chunks in cold storage. */
export interface ColdFinder {
  /** @param words null or blank: everything that fits the filter */
  search(words: string | null, filter: ColdFilter, limit: number): Promise<ColdSearch>
  /** All chunks with an id; several sessions can have one of the same name. */
  named(chunkId: string): Promise<readonly ColdChunk[]>
  expired(): Promise<ExpiredChunks>
}

/** Search without an index on disk. Keep one for as long as the store is examined: it reads every chunk only once. */
export class ColdLibrary implements ColdFinder {
  private index = new PassageIndex<ColdChunk>()
  /** What is in the index, and the listing that it was brought up to last. */
  private readonly held = new Set<ColdChunk>()
  private indexed: readonly ColdChunk[] = []

  constructor(
    private readonly store: Pick<ColdStore, 'list'>,
    private readonly now: () => number,
  ) {}

  async search(words: string | null, filter: ColdFilter, limit: number): Promise<ColdSearch> {
    const { chunks, problems } = await this.store.list()
    const now = this.now()
    if (words === null || words.trim() === '') {
      const matching = chunks.filter((chunk) => fits(chunk, filter, now))
      const found = matching.slice(0, limit).map((chunk) => ({ chunk, rank: null }))
      return { found, matching: matching.length, problems }
    }
    this.update(chunks)
    // The filter comes before the limit: what is not offered must not crowd out what is.
    const hits = this.index.search(words, limit, (chunk) => fits(chunk, filter, now))
    const found = hits.map(({ key, score }) => ({ chunk: key, rank: score }))
    return { found, matching: null, problems }
  }

  async named(chunkId: string): Promise<readonly ColdChunk[]> {
    const { chunks } = await this.store.list()
    return chunks.filter((chunk) => chunk.chunkId === chunkId)
  }

  async expired(): Promise<ExpiredChunks> {
    const { chunks, problems } = await this.store.list()
    const { remove, keep } = planPurge(chunks, this.now())
    return { chunks: remove, keep, problems }
  }

  /**
   * Reads what is new with pauses, so that the next search need not; nothing where it is soon read anyway. It begins with
   * a pause: a store may have to make its chunks first, and whoever calls this has an answer to give.
   */
  async prepare(pause: () => Promise<void>): Promise<void> {
    await pause()
    const { chunks } = await this.store.list()
    const fresh = chunks.filter((chunk) => !this.held.has(chunk)).toReversed()
    if (fresh.length < WORTH_PREPARING) return
    for (let at = 0; at < fresh.length; at++) {
      if (at % BEFORE_PAUSE === 0) await pause()
      this.add(fresh[at] as ColdChunk)
    }
  }

  private update(chunks: readonly ColdChunk[]): void {
    if (chunks === this.indexed) return
    const now = new Set(chunks)
    const gone = [...this.held].filter((chunk) => !now.has(chunk))
    if (gone.length > chunks.length) {
      this.index = new PassageIndex()
      this.held.clear()
    }
    for (const chunk of gone) {
      this.index.remove(chunk)
      this.held.delete(chunk)
    }
    // Older ones first: among equals the newest comes first.
    for (const chunk of chunks.toReversed()) this.add(chunk)
    this.indexed = chunks
  }

  /** Answers whether it was new. */
  private add(chunk: ColdChunk): boolean {
    if (this.held.has(chunk)) return false
    this.index.add(chunk, chunk.content)
    this.held.add(chunk)
    return true
  }
}

/** So many chunks are read at once: some milliseconds. Fewer than the second are read by the search itself. */
const [BEFORE_PAUSE, WORTH_PREPARING] = [50, 500]

function fits(chunk: ColdChunk, filter: ColdFilter, now: Milliseconds): boolean {
  const { session, reason, minScore, maxScore, since, until, expired } = filter
  if (expired !== true && isExpired(chunk, now) !== (expired === 'only')) return false
  if (session !== null && chunk.sessionId !== session) return false
  if (reason !== null && chunk.reason !== reason) return false
  if (minScore !== null && (chunk.score === null || chunk.score < minScore)) return false
  if (maxScore !== null && (chunk.score === null || chunk.score > maxScore)) return false
  if (since !== null && (chunk.at === null || chunk.at < since)) return false
  return until === null || (chunk.at !== null && chunk.at <= until)
}
