import type { ColdRecord } from '../../core/cold/record'

/** A record of cold storage and the file that it is in. */
export type ColdChunk = ColdRecord & { readonly file: string }

/** What a problem of cold storage can be. */
export const PROBLEM_KINDS = ['torn', 'archive', 'malformed', 'foreign', 'odd', 'unreadable'] as const

/** Something in cold storage that is no chunk and is left alone, or a field of a chunk that cannot be used. */
export type ColdProblem = {
  readonly file: string
  /** 1-based. */
  readonly line: number
  /**
   * `foreign`: the record says that it belongs to another session than its folder. `odd`: a field of a chunk counts as
   * unknown; the chunk is there nevertheless.
   */
  readonly kind: (typeof PROBLEM_KINDS)[number]
  readonly why: string
}

export type ColdListing = {
  /** Newest first. */
  readonly chunks: readonly ColdChunk[]
  readonly problems: readonly ColdProblem[]
}

export type StoredChunk = {
  readonly record: ColdRecord
  readonly file: string
  /** The record of the same chunk that was there before, of one that had come back. */
  readonly earlier?: ColdRecord
}

/** Dropped chunks on disk. */
export interface ColdStore {
  /** Folder of the store, for display. */
  readonly root: string
  /**
   * Keeps records for good: when the promise is fulfilled, a loss of power does not lose them, and they may leave the
   * context. All of them, or none. Two chunks of a session with the same id get different ones; the answer has them. A
   * chunk that is there already, with the same content, has its record renewed, and is never kept for a shorter time.
   * @throws the system's error, with its `code`, when they cannot be written
   */
  put(records: readonly ColdRecord[]): Promise<readonly StoredChunk[]>
  /**
   * The same for records that can be made later of what is held already: at the latest when the store is asked for
   * anything. Only of a store that lasts no longer than its process.
   * @param make is called once, and does not fail
   * @returns what became of them; makes them when it is called
   */
  putLater?(make: () => readonly ColdRecord[]): () => readonly StoredChunk[]
  /** Everything that is there, expired chunks included. */
  list(): Promise<ColdListing>
  /**
   * Keeps chunks until another time. Milliseconds since the epoch; the rest of their records stays as it is. Answers
   * how many were there.
   */
  extend(chunks: readonly ColdChunk[], until: number): Promise<number>
  /**
   * Takes chunks away for good, from the index as well; one that is kept until another time now stays. Answers how many
   * were there.
   */
  remove(chunks: readonly ColdChunk[]): Promise<number>
}
