import type { Bytes, Milliseconds } from '../../core/units/units'
import type { Clock } from '../read/ports'
import type { LiveOwners, SessionLocks } from './lock-ports'
import type { FileState, Receipt, ReceiptProof } from './receipt'

/** What is at a path; links are not followed. */
export type FileStat = Omit<FileState, 'hash'> & {
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  /** In words, e.g. `a named pipe`. */
  readonly what: string
  /** Names that the file has. */
  readonly links: number
}

/** Bytes from `start` up to, not including, `end`. */
export type ByteRange = { readonly start: number; readonly end: number }

/** A file that is being written. Each method is one system call. */
export interface OpenFile {
  /** One call of `write`; answers how many bytes the system took. */
  write(bytes: Uint8Array): Promise<number>
  setMode(mode: number): Promise<void>
  setOwner(uid: number, gid: number): Promise<void>
  /** Cuts the file off after this many bytes. */
  truncate(size: number): Promise<void>
  sync(): Promise<void>
  stat(): Promise<FileStat>
  close(): Promise<void>
}

/**
 * Every system call that a write is made of, so that tests can fail or end the process at each of them. Errors carry
 * the system's `code` (`ENOSPC`, `EACCES` …).
 */
export interface WriteFiles {
  /** null when nothing is there. */
  stat(path: string): Promise<FileStat | null>
  realPath(path: string): Promise<string>
  /** Whether this process may write to a file or folder. */
  mayWrite(path: string): Promise<boolean>
  /** Never waits for a pipe, never follows a link. */
  read(path: string, range?: ByteRange): AsyncIterable<Uint8Array>
  /** Fails when something is there. */
  create(path: string, mode: number): Promise<OpenFile>
  /** Opens a file that exists for adding at its end. */
  openEnd(path: string): Promise<OpenFile>
  rename(from: string, to: string): Promise<void>
  /** A second name for a file; fails when something is at `to`. */
  link(from: string, to: string): Promise<void>
  unlink(path: string): Promise<void>
  syncFolder(path: string): Promise<void>
  /** With its parents; readable by its owner alone. Fine when it exists. */
  makeFolder(path: string): Promise<void>
  /** Names in a folder; none when there is no such folder. */
  list(folder: string): Promise<readonly string[]>
  /** Sets the modification time. @param at milliseconds since the epoch */
  touch(path: string, at: number): Promise<void>
  folderOf(path: string): string
  nameOf(path: string): string
  join(...parts: string[]): string
}

/** A SHA-256 in the making. */
export interface Hasher {
  update(bytes: Uint8Array): void
  /** Hex; nothing can be added afterwards. */
  digest(): string
}

export type KeepResult =
  /** `removed`: backups that had outlived their retention and made room, in bytes and number. */
  | { readonly kept: true; readonly backup: string; readonly removed: { bytes: Bytes; count: number } }
  /**
   * `quota`: no room within the quota; `changed`: the file no longer has this hash; `damaged`: the copy did not read
   * back.
   */
  | { readonly kept: false; readonly reason: 'quota' | 'changed' | 'damaged'; readonly message: string }

/** Content-addressed copies of what was replaced. */
export interface Backups {
  /** Copies a file whose hash is known, flushed and read back. What is kept already is not copied again. */
  keep(file: string, hash: string, size: number): Promise<KeepResult>
  /** Where the content with this hash is kept, if it is: always right in the folder of backups. */
  placeOf(hash: string): string
  /** Whether a backup is there and still has its hash. */
  check(backup: string, hash: string): Promise<'good' | 'missing' | 'damaged'>
}

export type ReadReceipt = { readonly receipt: Receipt; readonly proof: ReceiptProof }

/** Receipts as files. */
export interface Receipts {
  /** Signed, atomic and flushed. */
  put(receipt: Receipt): Promise<void>
  /** @throws Error when the file cannot be understood */
  get(id: string): Promise<Receipt | null>
  /** The same, and whether it proves itself; nothing is done for the sake of one that does not. */
  read(id: string): Promise<ReadReceipt | null>
  /** Takes away a receipt of a write that did not happen. */
  forget(id: string): Promise<void>
  /** Ids, newest first. */
  ids(): Promise<readonly string[]>
  /** Ids of writes that have begun and not ended. */
  open(): Promise<readonly string[]>
}

/** The JSONL log of writes. */
export interface AuditLog {
  add(receipt: Receipt): Promise<void>
}

/** Rows of receipts in the database, for pages. Everything in them can be made again from the files. */
export interface AuditRows {
  put(receipts: readonly Receipt[]): Promise<void>
}

/** Ids of receipts: unique, and in the order of time when sorted as text. */
interface Ids {
  receipt(now: Milliseconds): string
}

/** All that writing takes. */
export type Writer = {
  readonly files: WriteFiles
  readonly sha256: () => Hasher
  readonly locks: SessionLocks
  readonly live: LiveOwners
  readonly backups: Backups
  readonly receipts: Receipts
  readonly log: AuditLog
  readonly rows: AuditRows
  readonly clock: Clock
  readonly ids: Ids
  /** Called with the files that were written, so that they are read again soon. */
  readonly onWritten: (paths: readonly string[]) => Promise<void>
}
