import { isExpired } from '../../core/cold/retention'
import { reasonOf } from '../../core/words/reason-of'
import type { ColdCounts, ColdIndex, ColdScan, ColdScanner, IndexHit, ScanProgress } from './cold-index'
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
    const question = { words: asked, filter, now: this.now(), skip, limit }
    let found: readonly FoundChunk[] = []
    for (let i = 0; i < TRIES; i++) {
      const hits = this.index.find(question)
      found = this.load(hits)
      if (found.length === hits.length) break
    }
    const matching = asked === null ? this.index.count(filter, question.now) : null
    return { found, matching, problems: this.index.problems(NAMED_PROBLEMS) }
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
    const hits = this.index.find({ words: null, filter, now, skip: 0, limit: counts.expired })
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
