import path from 'node:path'
import type { LogEntry } from '../../core/logs/log-fields'
import { LOG_FILES } from '../../core/logs/log-files'
import type { LogKind } from '../../core/logs/log-kinds'
import { writeLogLine } from '../../core/logs/write-log-line'
import { maskSecrets } from '../../core/redaction/secrets'
import { reasonOf } from '../../core/words/reason-of'
import type { ContextLog } from '../../engine/logs/log-ports'
import type { Clock } from '../../engine/read/ports'
import { homePath } from '../files/home-path'
import { appendLog, ROTATION, type Rotation } from './append-log'

/** Where the lines of a context log go, and which kinds are written. */
export type ContextLogOptions = {
  /** Made when the first line comes; may begin with `~/`, as `policy.logs.path` does. */
  readonly folder: string
  /** Kinds that are written. */
  readonly kinds: readonly LogKind[]
  readonly clock: Clock
  readonly rotation?: Rotation
}

/**
 * A log in files, one per kind, credentials covered.
 *
 * @example
 * ```ts
 * import { fileContextLog, LOG_KINDS } from 'plimsoll-agent'
 *
 * const log = fileContextLog({ folder: 'logs', kinds: LOG_KINDS, clock: { now: Date.now } })
 * ```
 */
export function fileContextLog({ folder, kinds, clock, rotation = ROTATION }: ContextLogOptions): ContextLog {
  const addAll = async <K extends LogKind>(kind: K, entries: readonly LogEntry<K>[]) => {
    if (!kinds.includes(kind)) return null
    const file = path.join(homePath(folder), LOG_FILES[kind][0])
    const at = clock.now()
    try {
      const lines = entries.map((entry) => writeLogLine(kind, at, entry, maskSecrets))
      return appendLog(file, lines, rotation)
    } catch (error) {
      return `The log ${file} could not be written: ${reasonOf(error)}`
    }
  }
  return { addAll, add: (kind, entry) => addAll(kind, [entry]) }
}
