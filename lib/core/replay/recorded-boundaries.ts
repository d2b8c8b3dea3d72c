import type { SourceMessage } from '../summary/source-message'
import { estimateUnits } from '../tokens/estimate'
import type { EntryFact } from '../transcript/entry'
import { entryUnits } from './entry-units'
import { type RecordedView, WHOLE_VIEW } from './needs/call-output'
import type { GatheredChunks } from './needs/gathered-chunks'
import type { ReplayEntry } from './replay-entry'
import type { RecordedBoundary, ReplaySource } from './replay-source'
import { HoldingText } from './spans/held-spans'
import type { SpokenTexts } from './texts/spoken-texts'

/** Of a summary so much is compared with what was needed. Characters. */
const MOST_SUMMARY = 200_000
/** What Codex writes where a provider's summary is. */
const ENCRYPTED = 'codex:compaction-encrypted'

/** The compactions and resets of a session while it is read, and what of its chunks each left in the window. */
export class RecordedBoundaries {
  readonly list: RecordedBoundary[] = []
  /** Nothing but what a compaction left and what the runtime adds to it came since. */
  isJustAfter = false
  readonly #source: Pick<ReplaySource, 'cwd' | 'runtime'>
  readonly #chunks: GatheredChunks
  /** How many chunks there were before each entry. */
  readonly #before = new Map<number, number>()
  /** What the last boundary itself says. */
  #summary = ''

  constructor(source: Pick<ReplaySource, 'cwd' | 'runtime'>, chunks: GatheredChunks) {
    this.#source = source
    this.#chunks = chunks
  }

  /** An entry comes: its chunks begin here. */
  pass({ seq }: EntryFact): void {
    this.#before.set(seq, this.#chunks.length)
  }

  /** The first chunk of an entry that has come. */
  firstChunk({ seq }: EntryFact): number {
    return this.#before.get(seq) ?? this.#chunks.length
  }

  /** A call is made: those that came since the last one are before it. @returns the last of them; -1: there is none */
  noteCall(call: number): number {
    for (let i = this.list.length - 1; i >= 0 && this.list[i]?.before === -1; i--)
      (this.list[i] as RecordedBoundary).before = call
    return this.list.length - 1
  }

  /** What the window had after a boundary; -1: before the first one. */
  viewAt(place: number): RecordedView {
    const boundary = this.list[place]
    if (boundary === undefined) return WHOLE_VIEW
    const { firstKept, kept, summary, end, encrypted } = boundary
    return { firstKept, kept, summary: summary?.keys ?? NO_KEYS, end, encrypted }
  }

  take({ fact, message, kept }: ReplayEntry): void {
    const end = this.#chunks.length
    const first = kept?.first == null ? end : (this.#before.get(kept.first) ?? end)
    const boundary: RecordedBoundary = {
      at: fact.at,
      ...{ before: -1, firstKept: first, kept: new Set(), summary: null, summaryUnits: 0, encrypted: false },
      asked: fact.asked === true || fact.type === 'reset',
      end,
    }
    const stop = kept?.last == null ? end : this.#endOf(kept.last, end)
    if (stop < end) {
      for (let chunk = first; chunk < stop; chunk++) boundary.kept.add(chunk)
      boundary.firstKept = end
    }
    this.list.push(boundary)
    this.isJustAfter = true
    this.#summary = message?.text.trim() ?? ''
    if (message !== null && this.#summary !== '') this.#takeSummary(message.text, entryUnits(fact))
  }

  /** A provider compacted the conversation on its side; its summary takes the place of all before this answer. */
  takeCheckpoint({ fact, summary }: ReplayEntry): void {
    this.list.push({
      at: fact.at,
      ...{ before: -1, firstKept: this.firstChunk(fact), kept: new Set() },
      ...{ summary: null, summaryUnits: 0, encrypted: summary === undefined, asked: false },
      end: this.#chunks.length,
    })
    if (summary !== undefined) this.#takeSummary(summary, 0)
  }

  /**
   * Whether an entry is what a compaction left: its summary, or a message that was there before and is written out once
   * more. It is then no chunk.
   */
  hasLeft(fact: EntryFact, message: SourceMessage, spoken: SpokenTexts): boolean {
    const boundary = this.list.at(-1)
    if (boundary === undefined || !this.isJustAfter) return false
    if (fact.customType === ENCRYPTED) {
      boundary.encrypted = true
      return true
    }
    if (message.role === 'summary' && fact.role === 'compactionSummary') {
      this.#takeSummary(message.text, entryUnits(fact))
      return true
    }
    // Codex writes out what it sends from then on; elsewhere a user who says the same again means it.
    if (this.#source.runtime !== 'codex') return false
    if (this.#summary !== '' && message.text.includes(this.#summary)) {
      this.#takeSummary(message.text, entryUnits(fact))
      return true
    }
    const known = spoken.find(message.text)
    if (known === undefined) return false
    boundary.kept.add(known)
    return true
  }

  #takeSummary(text: string, units: number): void {
    const boundary = this.list.at(-1)
    if (boundary === undefined) return
    const short = text.slice(0, MOST_SUMMARY)
    boundary.summary = new HoldingText(short, this.#source.cwd)
    boundary.summaryUnits = Math.max(units, estimateUnits(short))
  }

  /** The chunks of an entry end where the next one's begin. */
  #endOf(seq: number, end: number): number {
    const begin = this.#before.get(seq)
    if (begin === undefined) return end
    let stop = begin
    while (stop < end && this.#chunks.entry(stop) === seq) stop += 1
    return stop
  }
}

const NO_KEYS: ReadonlySet<string> = new Set()
