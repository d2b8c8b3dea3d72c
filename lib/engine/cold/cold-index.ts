import type { KnownWords } from '../../core/relevance/asked-words'
import type { Milliseconds } from '../../core/units/units'
import type { ColdChunk, ColdProblem } from './cold-store'
import type { ColdFilter } from './search-cold'

/** What tells that a file is the one that was read. */
export type FileStamp = { readonly size: number; readonly mtimeNs: string }

/** A record and its line in its file, 1-based. */
export type ScannedChunk = { readonly chunk: ColdChunk; readonly line: number }

export type ScannedFile = FileStamp & {
  readonly path: string
  readonly chunks: readonly ScannedChunk[]
  readonly problems: readonly ColdProblem[]
}

/** What has changed in the folder of a session: part of it, in the order in which it is to be written. */
export type ColdScan = {
  readonly folder: string
  /** Files that are no longer there. */
  readonly removed: readonly string[]
  /** New and changed ones. */
  readonly files: readonly ScannedFile[]
  /** Set with the last part: what the folder looked like; '' when it may change again without its time telling. */
  readonly stamp: string | null
}

export type ScanProgress = { readonly read: number; readonly of: number }

/** What an index knows already. */
export type KnownCold = {
  /** Folders that were read to their end, with their stamps. */
  folders(): ReadonlyMap<string, string>
  files(folder: string): ReadonlyMap<string, FileStamp>
}

/** Cold storage on disk, as an index looks at it. */
export interface ColdScanner {
  readonly root: string
  /** What is not as it is known, part by part. Folders that are gone come as scans that remove everything. */
  changes(known: KnownCold, onProgress: (progress: ScanProgress) => void): AsyncIterable<ColdScan>
  /** The chunk at a line of a file; null when it is not there any more. */
  load(file: string, line: number): ColdChunk | null
}

/** Where a record that was found is. `rank`: higher is better; null when no words were searched for. */
export type IndexHit = { readonly file: string; readonly line: number; readonly rank: number | null }

export type ColdCounts = {
  /** All that is there, expired ones included. */
  readonly chunks: number
  readonly expired: number
  /** Lines that are no chunks, and fields that cannot be used, by kind. */
  readonly problems: readonly { readonly kind: ColdProblem['kind']; readonly count: number }[]
  /** Of what is offered; most frequent first. */
  readonly reasons: readonly { readonly name: string | null; readonly count: number }[]
}

export type IndexQuestion = {
  /** null or blank: everything that fits the filter, newest first. */
  readonly words: string | null
  readonly filter: ColdFilter
  /** What has run out before has expired. Milliseconds since the epoch. */
  readonly now: Milliseconds
  readonly skip: number
  readonly limit: number
  /** So many that hold one of the rarer words are enough: then common words find nothing more. */
  readonly enough: number
}

/** An index of cold storage that outlives its process. It can be made again at any time. */
export interface ColdIndex extends KnownCold {
  write(scans: readonly ColdScan[]): Promise<void>
  find(question: IndexQuestion): readonly IndexHit[]
  /** How many chunks there are, and how many of them have a word in normal form, counted up to a share. */
  words(): Pick<KnownWords, 'texts' | 'holdersOf'>
  /** Chunks that fit a filter, whatever words they hold. */
  count(filter: ColdFilter, now: Milliseconds): number
  /** Chunks with an id. */
  named(chunkId: string): readonly IndexHit[]
  counts(now: Milliseconds): ColdCounts
  problems(limit: number): readonly ColdProblem[]
}
