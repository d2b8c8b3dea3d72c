import type { AnyLogRecord, LogEntry, LogKind } from '../core/logs/log-fields'

/**
 * Where compactions, curations, drops, recoveries and health checks are noted (Q1–Q6). Writing a log never fails what is
 * logged: the answer is what went wrong, as a sentence, or null. A log that is switched off writes nothing.
 */
export interface ContextLog {
  add<K extends LogKind>(kind: K, entry: LogEntry<K>): Promise<string | null>
  /** Many lines of a kind with one write. */
  addAll<K extends LogKind>(kind: K, entries: readonly LogEntry<K>[]): Promise<string | null>
}

/** Logs nothing. */
export const NO_LOG: ContextLog = { add: async () => null, addAll: async () => null }

/** How far a log file was read; see `Cursor` of transcripts. */
export type LogCursor = {
  readonly dev: number
  readonly ino: number
  readonly size: number
  readonly mtimeMs: number
  readonly offset: number
  readonly line: number
  readonly tailHash: string
}

export type LoggedRecord = { readonly record: AnyLogRecord; readonly file: string; readonly line: number }

export type BrokenLine = { readonly file: string; readonly line: number; readonly problem: string }

/** Part of a log, in the order of its lines. */
export type LogBatch = {
  readonly records: readonly LoggedRecord[]
  readonly broken: readonly BrokenLine[]
  /** The file that was read, and where to go on in it. */
  readonly file: string
  readonly cursor: LogCursor
}

/** A file of a log as it lies in a folder. */
export type FoundLog = {
  readonly kind: LogKind
  readonly path: string
  /** 0 is being written to; higher ones were put aside earlier. */
  readonly age: number
  readonly size: number
}

/** A folder of logs that was looked at, and what was found there. */
export type LogFolder = {
  readonly path: string
  readonly found: boolean
  readonly logs: readonly FoundLog[]
  /** Why it cannot be read although it is there. */
  readonly problem?: string
}

/** The logs of this machine, read-only. */
export interface LogReader {
  /** Oldest file of each kind first. */
  folders(): readonly LogFolder[]
  /**
   * What stands behind the cursor, in batches. A file that is not the one of the cursor any more is read from its start;
   * a last line whose newline has not come is left for the next time.
   * @throws SourceProblem when the file cannot be read
   */
  read(log: Pick<FoundLog, 'kind' | 'path'>, cursor: LogCursor | null): AsyncIterable<LogBatch>
}
