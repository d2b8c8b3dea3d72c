import path from 'node:path'
import type { LogEntry } from '../../core/logs/log-fields'
import { LOG_FILES } from '../../core/logs/log-files'
import type { LogKind } from '../../core/logs/log-kinds'
import { writeLogLine } from '../../core/logs/write-log-line'
import { maskSecrets } from '../../core/redaction/secrets'
import type { ContextLog } from '../../engine/log-ports'
import type { Clock } from '../../engine/ports'
import { homePath } from '../home-path'
import { appendLog, ROTATION, type Rotation } from './append-log'

export type ContextLogOptions = {
  /** Made when the first line comes; may begin with `~/`, as `policy.logs.path` does. */
  readonly folder: string
  /** Kinds that are written (Q1). */
  readonly kinds: readonly LogKind[]
  readonly clock: Clock
  readonly rotation?: Rotation
}

/** A log in files, one per kind, credentials covered (Q10). */
export function fileContextLog({ folder, kinds, clock, rotation = ROTATION }: ContextLogOptions): ContextLog {
  const addAll = async <K extends LogKind>(kind: K, entries: readonly LogEntry<K>[]) => {
    if (!kinds.includes(kind)) return null
    const file = path.join(homePath(folder), LOG_FILES[kind][0])
    const at = clock.now()
    try {
      const lines = entries.map((entry) => writeLogLine(kind, at, entry, maskSecrets))
      appendLog(file, lines, rotation)
      return null
    } catch (error) {
      return `The log ${file} could not be written: ${error instanceof Error ? error.message : String(error)}`
    }
  }
  return { addAll, add: (kind, entry) => addAll(kind, [entry]) }
}
