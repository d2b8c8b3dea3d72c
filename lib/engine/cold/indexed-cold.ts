import { isExpired } from '../../core/cold/retention'
import { PassageIndex } from '../../core/relevance/passage-index'
import { reasonOf } from '../../core/words/reason-of'
import type {
  ColdCounts,
  ColdIndex,
  ColdScan,
  ColdScanner,
  IndexHit,
  IndexQuestion,
  ScanProgress,
} from './cold-index'
import type { ColdChunk } from './cold-store'
import {
  ANY_CHUNK,
  type ColdFilter,
  type ColdFinder,
  type ColdSearch,
  type ExpiredChunks,
  type FoundChunk,
} from './search-cold'

/** Files of one transaction. */
const BATCH_FILES = 1000
/** Lines that are no chunks and are named; all of them are counted. */
const NAMED_PROBLEMS = 1000
/** So many of the best by the words of the whole chunk are put in order by their passages, as far as their text goes. */
const MOST_RANKED = 60
const MOST_RANKED_TEXT = 2_000_000
/** A search whose texts are gone meanwhile is made once more. */
const TRIES = 2

/**
 * Search in cold storage by an index that outlives the process: a start costs a check of each session's folder, and
 * what changed is read. Texts are read from their files when they are found.
 */
export class IndexedCold implements ColdFinder {
  private refreshing: Promise<void> | null = null
  private done: ScanProgress | null = null

  constructor(
    private readonly index: ColdIndex,
    private readonly scanner: ColdScanner,
    private readonly now: () => number,
  ) {}

  /** How far the present refresh has come; null when there is none. */
  get progress(): ScanProgress | null {
    return this.refreshing === null ? null : this.done
  }

  /** Brings the index up to date; those who ask at the same time share one pass. */
  refresh(): Promise<void> {
    this.refreshing ??= this.catchUp().finally(() => {
      this.refreshing = null
    })
    return this.refreshing
  }

  async search(words: string | null, filter: ColdFilter, limit: number, skip = 0): Promise<ColdSearch> {
    await this.refresh()
    return this.searchNow(words, filter, limit, skip)
  }

  /** What the index has, without reading the disk for more. */
  searchNow(words: string | null, filter: ColdFilter, limit: number, skip = 0): ColdSearch {
    const asked = words === null || words.trim() === '' ? null : words
    const question = { words: asked, filter, now: this.now(), skip, limit, enough: skip + limit }
    const problems = this.index.problems(NAMED_PROBLEMS)
    if (asked !== null) return { found: this.ranked(asked, question), matching: null, problems }
    return { found: this.find(question), matching: this.index.count(filter, question.now), problems }
  }

  /** The best by their passages; those behind them in the order of the index. */
  private ranked(words: string, question: IndexQuestion): readonly FoundChunk[] {
    const { skip, limit } = question
    const end = skip + limit
    const first = this.find({ ...question, skip: 0, limit: MOST_RANKED })
    const page = byPassages(words, first, this.index.words()).slice(skip, end)
    if (first.length < MOST_RANKED || end <= MOST_RANKED) return page
    const from = Math.max(skip, MOST_RANKED)
    const behind = this.find({ ...question, skip: from, limit: end - from })
    return [...page, ...behind.map(({ chunk }) => ({ chunk, rank: 0 }))]
  }

  private find(question: IndexQuestion): readonly FoundChunk[] {
    let found: readonly FoundChunk[] = []
    for (let i = 0; i < TRIES; i++) {
      const hits = this.index.find(question)
      found = this.load(hits)
      if (found.length === hits.length) break
    }
    return found
  }

  async named(chunkId: string): Promise<readonly ColdChunk[]> {
    await this.refresh()
    return this.namedNow(chunkId)
  }

  /** What the index has of an id, without reading the disk for more. */
  namedNow(chunkId: string): readonly ColdChunk[] {
    return this.load(this.index.named(chunkId)).map(({ chunk }) => chunk)
  }

  /** Only files of which the index says that they have expired are read; what they say themselves decides. */
  async expired(): Promise<ExpiredChunks> {
    await this.refresh()
    const now = this.now()
    const filter = { ...ANY_CHUNK, expired: 'only' as const }
    const counts = this.index.counts(now)
    const limit = counts.expired
    const hits = this.index.find({ words: null, filter, now, skip: 0, limit, enough: limit })
    const chunks: ColdChunk[] = []
    const problems = [...this.index.problems(NAMED_PROBLEMS)]
    let kept = 0
    for (const { file, line } of hits) {
      try {
        const chunk = this.scanner.load(file, line)
        if (chunk === null) continue
        if (isExpired(chunk, now)) chunks.push(chunk)
        else kept++
      } catch (error) {
        const why = reasonOf(error)
        problems.push({ file, line, kind: 'unreadable', why })
      }
    }
    return { chunks, keep: counts.chunks - counts.expired + kept, problems }
  }

  counts(): ColdCounts {
    return this.index.counts(this.now())
  }

  private load(hits: readonly IndexHit[]): readonly FoundChunk[] {
    return hits.flatMap(({ file, line, rank }) => {
      const chunk = this.scanner.load(file, line)
      return chunk === null ? [] : [{ chunk, rank }]
    })
  }

  private async catchUp(): Promise<void> {
    this.done = null
    let batch: ColdScan[] = []
    let files = 0
    const flush = async () => {
      if (batch.length > 0) await this.index.write(batch)
      batch = []
      files = 0
    }
    const noteProgress = (progress: ScanProgress) => {
      this.done = progress
    }
    for await (const scan of this.scanner.changes(this.index, noteProgress)) {
      batch.push(scan)
      files += scan.files.length + scan.removed.length + 1
      if (files >= BATCH_FILES) await flush()
    }
    await flush()
  }
}

/** Chunks that share words with a question, by how much they have to do with it; those that only just do come last. */
function byPassages(
  words: string,
  found: readonly FoundChunk[],
  known: ReturnType<ColdIndex['words']>,
): readonly FoundChunk[] {
  const passages = new PassageIndex<FoundChunk>(known)
  let room = MOST_RANKED_TEXT
  const read = found.filter(({ chunk }) => {
    room -= chunk.content.length
    return room >= 0
  })
  // Among equals what was added last comes first.
  for (const one of read.toReversed()) passages.add(one, one.chunk.content)
  const ranked = passages.search(words, found.length)
  const seen = new Set(ranked.map(({ key }) => key))
  const others = found.filter((one) => !seen.has(one))
  return [
    ...ranked.map(({ key: { chunk }, score }) => ({ chunk, rank: score })),
    ...others.map(({ chunk }) => ({ chunk, rank: 0 })),
  ]
}
