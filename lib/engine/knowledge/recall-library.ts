import { append } from '../../core/lists/long-lists'
import { memoryPieces } from '../../core/memory/chunk-memory'
import { RecallIndex, recallVector } from '../../core/memory/recall-index'
import type { RecallHit } from '../../core/memory/recalled-context'
import { maskSecrets } from '../../core/redaction/secrets'
import { reasonOf } from '../../core/words/reason-of'
import type {
  IndexedPiece,
  IndexedSource,
  RecallJournal,
  RecallOrigin,
  RecallPlace,
  RecallSource,
} from './recall-ports'

/** A piece of a source that was found. */
export type FoundPiece = RecallHit & {
  readonly origin: RecallOrigin
  readonly sourceId: string
  /** Its first line in the source; from 1. */
  readonly line: number
}

/** What bringing the index up to date came to. */
export type SyncReport = {
  readonly sources: number
  readonly pieces: number
  /** Sources that were read anew, and those that are no longer there. */
  readonly read: number
  readonly gone: number
  /** Sources that cannot be read, and an index that could not be used, in sentences. */
  readonly problems: readonly string[]
  /** What had to be done to read some of them. */
  readonly notes: readonly string[]
}

/** Where a `RecallLibrary` looks, where its index is kept, and how long an agent waits for it. */
export type RecallLibraryOptions = {
  readonly places: readonly RecallPlace[]
  /** Without one the index ends with the process. */
  readonly journal?: RecallJournal | null
  /** Milliseconds of a clock that never goes back; without one `refresh` always looks. */
  readonly now?: () => number
  /** Most pieces that are indexed, see `MOST_PIECES`. */
  readonly most?: number
  /** Resolves after so many milliseconds. With it `refresh` does not wait for the end of a long indexing. */
  readonly pause?: (ms: number) => Promise<void>
}

const NONE: ReadonlySet<string> = new Set()

type Piece = { readonly source: IndexedSource; readonly piece: IndexedPiece }

/** Where looking for changes takes long, it takes at most one part in so many of the time. */
const LOOKING_SHARE = 20

/**
 * A prompt waits for the index so long, then what is indexed so far has to do: the first time, when there may be
 * nothing yet, and later, when only the changes of the last seconds are missing. Milliseconds.
 */
const [PATIENCE_MS, LATER_PATIENCE_MS] = [1_500, 100]

/**
 * More pieces than these are not indexed: all of them are held in memory, about 4 KB each. Sources that come first are
 * indexed first: notes, cold storage, then sessions, the newest of them first.
 */
const MOST_PIECES = 120_000

/** Changes are kept in batches of so many sources, so that what was done survives an interruption. */
const BATCH = 200

/**
 * Everything that can be recalled, indexed: memory files, cold storage, old sessions. Brought up to date by
 * reading only what changed; searched without any service.
 *
 * @example
 * ```ts
 * import { memoryFiles, RecallLibrary } from 'plimsoll-agent'
 *
 * const library = new RecallLibrary({ places: [memoryFiles('workspace')] })
 * await library.sync()
 * const pieces = library.search('Where does the crane log to?', 5)
 * ```
 */
export class RecallLibrary {
  private index = new RecallIndex<Piece>()
  private readonly known = new Map<
    string,
    { readonly source: IndexedSource; readonly pieces: readonly Piece[] }
  >()
  private removed = 0
  private loaded: Promise<string | null> | null = null
  private running: Promise<SyncReport> | null = null
  private advance: { done: number; readonly of: number } | null = null
  private last: { readonly report: SyncReport; readonly began: number; readonly ended: number } | null = null

  constructor(private readonly options: RecallLibraryOptions) {}

  /** Brings the index up to date. Calls that come together are one. */
  sync(signal?: AbortSignal): Promise<SyncReport> {
    this.running ??= this.bringUpToDate(signal).finally(() => {
      this.running = null
      this.advance = null
    })
    return this.running
  }

  /**
   * The same for each prompt of an agent: thousands of notes are not examined for every one of them, but so often that
   * looking takes a twentieth of the time.
   */
  async refresh(): Promise<SyncReport> {
    const { now = () => 0, pause } = this.options
    const { last } = this
    if (last !== null && now() < last.ended + (last.ended - last.began) * LOOKING_SHARE)
      return { ...last.report, read: 0, gone: 0, notes: [] }
    const began = now()
    const whole = this.sync().then((report) => {
      this.last = { report, began, ended: now() }
      return report
    })
    if (pause === undefined) return whole
    // What fails after the waiting ended is reported by the next one.
    whole.catch(() => undefined)
    const patience = last === null ? PATIENCE_MS : LATER_PATIENCE_MS
    const report = await Promise.race([whole, pause(patience).then(() => null)])
    if (report !== null) return report
    // Looking at what is known already is nothing to tell.
    const isLooking = last !== null && (this.advance?.of ?? 0) === 0
    const problems = isLooking ? last.report.problems : [this.progressText()]
    return { ...this.sums(), read: 0, gone: 0, problems, notes: [] }
  }

  /** How far an indexing is that is under way; null while none is. */
  get progress(): { readonly done: number; readonly of: number } | null {
    return this.running === null ? null : this.advance
  }

  private progressText(): string {
    const { done, of } = this.advance ?? { done: 0, of: 0 }
    return of === 0
      ? 'Memory is being looked at; what is indexed already was searched.'
      : `Memory is being indexed: ${done} of ${of} changed sources. What is indexed already was searched.`
  }

  private sums(): Pick<SyncReport, 'sources' | 'pieces'> {
    return { sources: this.known.size, pieces: this.index.size }
  }

  /**
   * The pieces most like a prompt, best first, as of the last `sync`.
   * @param without ids of sources that are left out: what is in the context already need not be recalled
   */
  search(
    prompt: string,
    limit: number,
    origins: readonly RecallOrigin[] | null = null,
    without: ReadonlySet<string> = NONE,
  ): FoundPiece[] {
    const fits = ({ source: { id, origin } }: Piece) =>
      (origins === null || origins.includes(origin)) && !without.has(id)
    return this.index.search(prompt, limit, fits).map(({ key: { source, piece }, score }) => ({
      source: source.name,
      text: piece.text,
      score,
      origin: source.origin,
      sourceId: source.id,
      line: piece.line,
    }))
  }

  /** All sources that are indexed. */
  sources(): readonly IndexedSource[] {
    return [...this.known.values()].map(({ source }) => source)
  }

  private async bringUpToDate(signal?: AbortSignal): Promise<SyncReport> {
    this.loaded ??= this.load()
    const problems = (await this.loaded) === null ? [] : [(await this.loaded) ?? '']
    this.loaded = Promise.resolve(null)
    const notes: string[] = []
    const listed = await Promise.all(this.options.places.map((place) => place.list()))
    append(
      problems,
      listed.flatMap((one) => one.problems),
    )
    const now = new Map(listed.flatMap(({ sources }) => sources).map((source) => [source.id, source]))
    // What could not be examined is not taken for gone. What is deleted is, whatever else is wrong.
    const unseen = listed.flatMap((one) => one.unseen ?? (one.problems.length > 0 ? [''] : []))
    const gone = [...this.known.keys()].filter(
      (id) => !now.has(id) && !unseen.some((beginning) => id.startsWith(beginning)),
    )
    for (const id of gone) this.forget(id)
    const changed = [...now.values()].filter(({ id, stamp }) => this.known.get(id)?.source.stamp !== stamp)
    this.advance = { done: 0, of: changed.length }
    const { most = MOST_PIECES } = this.options
    let read = 0
    for (let at = 0; at < changed.length && signal?.aborted !== true && this.index.size < most; at += BATCH) {
      const put: IndexedSource[] = []
      for (const source of changed.slice(at, at + BATCH)) {
        if (this.index.size >= most) break
        const indexed = await this.read(source, problems, notes)
        this.take(indexed)
        put.push(indexed)
        read += 1
        this.advance = { done: read, of: changed.length }
      }
      await this.keep({ put, gone: [] }, problems)
    }
    if (read < changed.length && this.index.size >= most)
      problems.push(
        `${this.index.size} pieces of memory are indexed, and no more fit; ${changed.length - read} of ${now.size} sources are left out, old sessions first. Move away what need not be recalled.`,
      )
    if (gone.length > 0) await this.keep({ put: [], gone }, problems)
    this.rebuildWhenHollow()
    return { ...this.sums(), read, gone: gone.length, problems, notes }
  }

  private async load(): Promise<string | null> {
    const { journal } = this.options
    if (journal == null) return null
    try {
      const { sources, problem } = await journal.load()
      for (const source of sources) this.take(source)
      return problem
    } catch (error) {
      return `The index of memory cannot be read and is made anew: ${reasonOf(error)}`
    }
  }

  /**
   * A source that cannot be read is in the index without pieces, so that it is not tried again until it changes.
   * Credentials are covered before anything is kept: texts of one session are recalled for others, and go to a
   * model.
   */
  private async read(source: RecallSource, problems: string[], notes: string[]): Promise<IndexedSource> {
    const { id, origin, name, stamp } = source
    let text = ''
    try {
      const read = await source.read()
      if (read.ok) {
        text = read.text
        if (read.note !== null) notes.push(`${name}: ${read.note}`)
      } else problems.push(`${name}: ${read.problem}`)
    } catch (error) {
      problems.push(`${name}: ${reasonOf(error)}`)
    }
    const pieces = memoryPieces(maskSecrets(text)).map((piece) => ({
      ...piece,
      vector: recallVector(piece.text),
    }))
    return { id, origin, name, stamp, pieces }
  }

  private async keep(changes: Parameters<RecallJournal['append']>[0], problems: string[]): Promise<void> {
    try {
      await this.options.journal?.append(changes)
    } catch (error) {
      problems.push(`The index of memory cannot be kept: ${reasonOf(error)}`)
    }
  }

  private take(source: IndexedSource): void {
    this.forget(source.id)
    const pieces = source.pieces.map((piece) => ({ source, piece }))
    this.known.set(source.id, { source, pieces })
    for (const one of pieces) this.index.add(one, one.piece.text, one.piece.vector)
  }

  private forget(id: string): void {
    const known = this.known.get(id)
    if (known === undefined) return
    for (const piece of known.pieces) this.index.remove(piece)
    this.removed += known.pieces.length
    this.known.delete(id)
  }

  /** What was removed keeps its room in the index until there is more of it than of the rest. */
  private rebuildWhenHollow(): void {
    if (this.removed <= this.index.size) return
    this.index = new RecallIndex()
    this.removed = 0
    for (const { pieces } of this.known.values())
      for (const one of pieces) this.index.add(one, one.piece.text, one.piece.vector)
  }
}
