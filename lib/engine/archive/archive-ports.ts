import type { ArchivedVersion } from '../../core/archive/archived-version'
import type { Bytes, Milliseconds } from '../../core/units/units'
import type { FoundStore, FoundTranscript, SourceStamp } from '../read/ports'

/** A transcript that is no longer in its store. */
export type GoneMark = {
  /** Of the transcript. */
  readonly id: string
  readonly storeId: string
  /** When it was found missing. */
  readonly at: Milliseconds
  /** The setting of the runtime by which it was due then; null: it is not known who deleted it. */
  readonly rule: string | null
}

/** A file of the archive that cannot be used. */
export type BadFile = { readonly name: string; readonly problem: string }

/** A block cannot be given back as it was. */
export class ArchiveDamage extends Error {
  override readonly name = 'ArchiveDamage'
}

/**
 * The archive on disk. Whatever is put there is flushed, and is there whole or not at all. All names are made by us: ids
 * and hashes.
 */
export interface ArchiveFolder {
  hasBlock(hash: string): Promise<boolean>
  /** Keeps a block; answers the bytes that it takes on disk. */
  putBlock(hash: string, content: Uint8Array): Promise<Bytes>
  /**
   * The content of a block.
   * @param size how many bytes it holds; never more than these are unpacked
   * @throws ArchiveDamage when it is missing, or holds anything else
   */
  block(hash: string, size: Bytes): Promise<Uint8Array>
  /** All blocks with their bytes on disk. */
  blocks(): Promise<ReadonlyMap<string, Bytes>>
  removeBlocks(hashes: readonly string[]): Promise<void>
  /** All versions, those that cannot be understood among them. */
  versions(): AsyncIterable<{ readonly version: ArchivedVersion; readonly bytes: Bytes } | BadFile>
  /** The newest version of a transcript; null when there is none, or when it cannot be understood. */
  newest(id: string): Promise<ArchivedVersion | null>
  putVersion(version: ArchivedVersion): Promise<void>
  /** Another text whenever versions were removed, by whichever process. */
  generation(): Promise<string>
  removeVersions(names: readonly string[]): Promise<void>
  marks(): Promise<readonly GoneMark[]>
  /** Null when nothing is noted of a transcript. */
  mark(id: string): Promise<GoneMark | null>
  putMark(mark: GoneMark): Promise<void>
  removeMarks(ids: readonly string[]): Promise<void>
  /** Takes away what a crash left unfinished. */
  tidy(): Promise<void>
  /** What the disk has left; null where that is not known. */
  freeBytes(): Promise<Bytes | null>
  /**
   * Runs work that adds to the archive or takes away from it, while no other process does.
   * @returns null when another one does now
   */
  alone<T>(work: () => Promise<T>): Promise<{ readonly value: T } | null>
}

/** An open transcript. */
export type ArchiveSource = {
  readonly form: ArchivedVersion['form']
  /** As it was when it was opened; no byte behind its size is given. For lines `size` is the number of rows. */
  readonly stamp: SourceStamp
  readonly mode: number
  /** Blocks in order. @param from number of the first one; only files are entered in their middle */
  blocks(from: number): AsyncIterable<Uint8Array>
  /** As it is now. */
  stampNow(): Promise<SourceStamp>
  close(): void
}

export interface ArchiveSources {
  /** @throws SourceProblem */
  open(store: FoundStore, transcript: FoundTranscript): Promise<ArchiveSource>
}
