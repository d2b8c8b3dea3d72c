import type { TextEstimator } from '../../core/tokens/estimate'
import type { WeighEntry } from '../../core/transcript/reading/read-content'
import type { Bytes } from '../../core/units/units'

/** Sizes of reading; see `DEFAULT_LIMITS` in read-jsonl.ts. */
export type ReadLimits = {
  /** Longer lines become `unreadable` entries: parsing one costs several times its size in memory. Bytes. */
  readonly maxLine: number
  /** One read. Bytes. */
  readonly buffer: number
  /** A batch ends when its lines hold this many bytes, or it has this many entries. */
  readonly batchBytes: Bytes
  readonly batchFacts: number
  /** Entries without their content; messages from the first bytes of their lines (see `readHead`). */
  readonly outline?: boolean
  /** Sizes texts. */
  readonly estimate: TextEstimator
  /** Weighs entries; see `EntryFact.size` and `EntryFact.important`. */
  readonly weigh?: WeighEntry
  /** False: no texts for the search index; see `ReadWanted.texts`. */
  readonly texts?: boolean
  /** See `ReadWanted.marks`. */
  readonly marks?: boolean
}

/** What becomes of a last line without a newline: left for later, taken if it is a whole entry, or taken as it is. */
export type LastLine = 'leave' | 'take-whole' | 'take'

/** How transcripts are read. */
export type ReadOptions = {
  readonly limits: ReadLimits
  /** What becomes of an unfinished last line of a live transcript. */
  readonly lastLine: Exclude<LastLine, 'take'>
}
