import type { AnyLogRecord, LogEntry } from '../../core/logs/log-fields'
import type { LogKind } from '../../core/logs/log-kinds'
import type { Policy } from '../../core/policy/policy'
import type { Bytes } from '../../core/units/units'
import type { Cursor, SourceStamp } from '../read/ports'

/**
 * Where compactions, curations, drops, recoveries and health checks are noted. Writing a log never fails what is
 * logged: the answer is what went wrong, as a sentence, or null. A log that is switched off writes nothing.
 */
export interface ContextLog {
  add<K extends LogKind>(kind: K, entry: LogEntry<K>): Promise<string | null>
  /** Many lines of a kind with one write. */
  addAll<K extends LogKind>(kind: K, entries: readonly LogEntry<K>[]): Promise<string | null>
}

/** The log that a policy asks for: where, and which kinds. */
export type OpenLog = (logs: Policy['logs']) => ContextLog

/** Logs nothing. */
export const NO_LOG: ContextLog = { add: async () => null, addAll: async () => null }

export type LoggedRecord = { readonly record: AnyLogRecord; readonly file: string; readonly line: number }

export type BrokenLine = { readonly file: string; readonly line: number; readonly problem: string }

/** Part of a log, in the order of its lines. */
export type LogBatch = {
  readonly log: FoundLog
  /** Lines of the file before this part; what was read of it from there on belongs to another file of its name. */
  readonly after: number
  /** Bytes at the beginning of the file that are too old to be read. */
  readonly skippedBytes: Bytes
  readonly records: readonly LoggedRecord[]
  readonly broken: readonly BrokenLine[]
  /** Where to go on in the file. */
  readonly cursor: Cursor
}

/** A file of a log as it lies in a folder. */
export type FoundLog = {
  readonly kind: LogKind
  readonly path: string
  /** 0 is being written to; higher ones were put aside earlier. */
  readonly age: number
  /** Tells the file from another one that has its name later. */
  readonly dev: number
  readonly ino: number
}

/** A folder of logs that was examined, and what was found there. */
export type LogFolder = {
  readonly path: string
  readonly found: boolean
  /** Of each kind the oldest file first. */
  readonly logs: readonly FoundLog[]
  /** Why it cannot be read although it is there. */
  readonly problem?: string
}

/** The logs of this machine, read-only. */
export interface LogReader {
  folders(): readonly LogFolder[]
  /**
   * What is new in a file, in batches. A last line whose newline has not come is left for the next time.
   * @param cursorOf how far the file that is opened was read; asked after opening it, since names move on
   * @throws SourceProblem when the file cannot be read (on); the batches before it are
   */
  read(log: FoundLog, cursorOf: (file: SourceStamp) => Cursor | null): AsyncIterable<LogBatch>
}
