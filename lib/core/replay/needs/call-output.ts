import { NEED_KINDS, REPLAY_KINDS } from '../replay-session'
import { MOST_SOURCES, type SpanHolders } from '../spans/span-holders'
import type { WrittenAgainTally } from '../texts/written-again'
import type { GatheredChunks } from './gathered-chunks'
import type { Exclusion, NeedList } from './need-list'
import { NEED_WEIGHTS } from './need-weights'

/** What is written in prose is half as sure to be needed as what an argument of a tool is (lib/docs/replay.md#needs). */
export const [ARGUMENT, PROSE] = [1, 0.5]

const [PROSE_CHUNK, CALL_CHUNK] = [REPLAY_KINDS.indexOf('prose'), REPLAY_KINDS.indexOf('call')]

/** What of the chunks before it a call was sent, as far as the record tells. */
export type RecordedView = {
  /** Chunks from here on, and those of `kept`, were in its window. */
  readonly firstKept: number
  readonly kept: ReadonlySet<number>
  /** What the summary before it says. */
  readonly summary: ReadonlySet<string>
  /** Chunks from here on came after the compaction. */
  readonly end: number
  /** Only the provider knows what the summary says. */
  readonly encrypted: boolean
}

/** All that came so far: before the first compaction. */
export const WHOLE_VIEW: RecordedView = {
  firstKept: 0,
  kept: new Set(),
  summary: new Set(),
  end: 0,
  encrypted: false,
}

/** What one call wrote, gathered over the records of its answer: each span once, where it counts most. */
export class CallOutput {
  readonly #roles = new Map<number, number>()
  readonly #made = new Set<number>()

  /** A span is a name that the call itself declares: it may choose it. */
  make(span: number): void {
    this.#made.add(span)
  }

  note(span: number, role: number): void {
    const known = this.#roles.get(span)
    if (known === undefined || known < role) this.#roles.set(span, role)
  }

  /**
   * Turns what was written into needs of the call, by what was in chunks before it, and begins anew.
   * @param call number of the call that wrote it
   * @param end chunks from here on came after its prompt
   */
  flush(
    given: {
      readonly call: number
      readonly end: number
      readonly view: RecordedView
      readonly chunks: GatheredChunks
      readonly holders: SpanHolders
      readonly again: WrittenAgainTally
      /** Chunks that a runtime sends again and again in the same words. */
      readonly repeated: ReadonlySet<number>
    },
    needs: NeedList,
  ): void {
    const { call, end, holders } = given
    for (const [span, role] of this.#roles) {
      if (this.#made.has(span)) continue
      const sources = holders.writable(span, end)
      // The model made it up or knew it.
      if (sources.length === 0) continue
      const kind = holders.kind(span)
      noteAgain(span, given)
      const weight = NEED_WEIGHTS[kind] * role
      const exclusion = exclusionOf(sources, holders.texts[span] ?? '', given)
      needs.add({ at: call, kind: NEED_KINDS.indexOf(kind), span, weight, exclusion, sources })
    }
    this.#roles.clear()
    this.#made.clear()
  }
}

/** Why something with sources before the call is no need of its context all the same (lib/docs/replay.md#not-needs). */
export function exclusionOf(
  sources: readonly number[],
  text: string,
  given: {
    readonly view: RecordedView
    readonly chunks: GatheredChunks
    readonly repeated: ReadonlySet<number>
  },
): Exclusion {
  const { view, chunks, repeated } = given
  const seen = sources.filter((chunk) => chunk >= view.firstKept || view.kept.has(chunk))
  if (seen.length === 0 && view.encrypted) return 'encrypted'
  // What it wrote after a summary had said so is the summary's.
  if (view.summary.has(text) && seen.every((chunk) => isOwn(chunks, chunk))) return 'quoted'
  if (seen.length === 0) return 'unseen'
  if (seen.every((chunk) => chunks.isReread(chunk))) return 'reread'
  // Where there may be more sources than are kept, another one may be none of these.
  if (sources.length < MOST_SOURCES && seen.every((chunk) => repeated.has(chunk))) return 'repeated'
  return 'none'
}

/** Counts a span that only dropped chunks had when it is written for the first time since a compaction. */
function noteAgain(
  span: number,
  given: {
    readonly end: number
    readonly view: RecordedView
    readonly chunks: GatheredChunks
    readonly holders: SpanHolders
    readonly again: WrittenAgainTally
  },
): void {
  const { view, chunks, holders, again } = given
  if (view.end === 0 || view.encrypted || !again.isNew(span)) return
  if (view.summary.has(holders.texts[span] ?? '')) return
  let [isDropped, isKept, isShown] = [false, false, false]
  holders.eachBefore(span, given.end, (chunk) => {
    if (chunk >= view.end) isShown ||= !isOwn(chunks, chunk)
    else if (chunk >= view.firstKept || view.kept.has(chunk)) isKept = true
    else isDropped = true
    return !isKept
  })
  if (isDropped && !isKept) again.add(holders.kind(span), isShown)
}

/** Whether the model wrote a chunk. */
function isOwn(chunks: GatheredChunks, chunk: number): boolean {
  return chunks.kind(chunk) === PROSE_CHUNK || chunks.kind(chunk) === CALL_CHUNK
}
