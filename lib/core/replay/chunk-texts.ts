import { scanSpans } from '../relevance/spans'
import { AskedLikeness } from './asked-likeness'
import { CallOutput, exclusionOf, type RecordedView } from './call-output'
import { copiesIn } from './copies'
import type { RecordedCall } from './finish-replay'
import type { GatheredChunks } from './gathered-chunks'
import type { NeedList } from './need-list'
import { NEED_WEIGHTS } from './need-weights'
import { PrintHolders } from './print-holders'
import { NEED_KINDS } from './replay-session'
import { SpanHolders } from './span-holders'
import { partsOfPath, spanKey } from './span-key'
import { SpanStops } from './span-stops'
import { forPrints } from './winnowing'
import { WrittenAgainTally } from './written-again'

const COPY = NEED_KINDS.indexOf('copy')

/** A call whose answer is being read, its number, and what the window of it had. */
export type AnsweredCall = Pick<RecordedCall, 'end'> & {
  readonly call: number
  readonly view: RecordedView
  /** Chunks that a runtime sends again and again. */
  readonly repeated: ReadonlySet<number>
}

/** Reads the texts of a session's chunks, one after another: what each holds, and what of it its call needed. */
export class ChunkTexts {
  readonly holders = new SpanHolders()
  readonly likeness = new AskedLikeness()
  readonly stops: SpanStops
  readonly again = new WrittenAgainTally()
  readonly #chunks: GatheredChunks
  readonly #needs: NeedList
  readonly #cwd: string | null
  readonly #prints = new PrintHolders()
  readonly #output = new CallOutput()

  constructor(cwd: string | null, chunks: GatheredChunks, needs: NeedList) {
    this.#cwd = cwd
    this.#chunks = chunks
    this.#needs = needs
    this.stops = new SpanStops(cwd)
  }

  /** @param role of what a call wrote; null: it is no output of a model */
  read(text: string, chunk: number, role: number | null): void {
    const group = this.#chunks.group(chunk)
    this.likeness.add(chunk, text)
    forPrints(text, (print) => this.#prints.add(print, chunk))
    scanSpans(text, (found) => {
      const key = spanKey(found, this.#cwd)
      if (this.stops.has(key, found.kind)) return
      const span = this.holders.number({ kind: found.kind, text: key })
      if (span < 0) return
      if (role !== null) this.#output.note(span, role)
      this.holders.add(span, chunk, group)
      if (found.kind === 'path') this.#addParts(key, chunk, group)
    })
  }

  /** What an argument copied from earlier chunks is needed by its call. Comes before the argument is read. */
  noteCopies(text: string, { call, end, view, repeated }: AnsweredCall): void {
    const chunks = this.#chunks
    for (const copy of copiesIn(text, this.#prints, end)) {
      const span = this.holders.number({ kind: 'copy', text: copy.text, key: `copy ${copy.text}` })
      if (span < 0) continue
      for (const source of copy.sources) this.holders.add(span, source, chunks.group(source))
      const exclusion = exclusionOf(copy.sources, copy.text, { view, chunks, repeated })
      const weight = NEED_WEIGHTS.copy * copy.share
      this.#needs.add({ at: call, kind: COPY, span, weight, exclusion, sources: copy.sources })
    }
  }

  /** All that a call wrote was read: it becomes needs. */
  endAnswer(answered: AnsweredCall): void {
    const { holders, again } = this
    this.#output.flush({ ...answered, chunks: this.#chunks, holders, again }, this.#needs)
  }

  /** A path also says the folders on it and its last part, where those are known by themselves. */
  #addParts(path: string, chunk: number, group: number): void {
    for (const part of partsOfPath(path)) {
      const span = this.holders.find(part)
      if (span >= 0) this.holders.add(span, chunk, group)
    }
  }
}
