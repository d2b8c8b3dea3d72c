import type { EntryLine } from '../../core/transcript/entry-line'
import type { ClippedBlock } from './entry-blocks'

/** Characters of one text that travel at first, and with each "show more". */
export const FIRST_CHARS = 4_000
export const MORE_CHARS = 64_000

/** Lines longer than this are not read for a list, only when they are opened. Bytes. */
export const LIST_LINE_BYTES = 1_000_000

/** Lines longer than this are never read; what is in them is seen with other tools. Bytes. */
export const LONGEST_LINE_BYTES = 32 * 1024 * 1024

/** One entry as the transcript shows it. Times in milliseconds. */
export type EntryView = Omit<EntryLine, 'offset' | 'piece'> & {
  /** Number of the turn that it belongs to, in the order of the file; 0 before the first. */
  readonly turn: number
  readonly beginsTurn: boolean
  readonly isError: boolean
  /** Whether it is on the branch that the session goes on from. */
  readonly active: boolean
  /** Sequence number of the entry before it on its branch; null at the root. */
  readonly parent: number | null
  /** It does not follow the entry above it: a branch begins here. */
  readonly forks: boolean
  /** Labels that point at it. */
  readonly labels: readonly string[]
  /** What it leads to (label, leaf move, branch summary), as a sequence number. */
  readonly target: number | null
  /** Its parts; null when the line was too long to read for a list, or could not be read. */
  readonly blocks: readonly ClippedBlock[] | null
  /** Credentials in its parts; they are covered until they are revealed. */
  readonly secrets: number
  /** Why its source cannot be shown now. */
  readonly sourceProblem: string | null
}

/** A stretch of a transcript. */
export type TranscriptPage = {
  readonly total: number
  readonly rows: readonly EntryView[]
}

/** Entries that travel together. */
export const TRANSCRIPT_PAGE_ROWS = 40

/** One entry with the place it comes from. */
export type EntryDetail = {
  readonly entry: EntryView
  readonly path: string
  /** Beginning of the raw line, and its length in UTF-16 units. */
  readonly raw: string
  readonly rawChars: number
}

/** A further piece of a long text. */
export type TextPiece = { readonly text: string; readonly chars: number }
