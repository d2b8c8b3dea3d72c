import type { LogKind } from './log-kinds'
import { readLogLine } from './read-log-line'

/**
 * Whether the beginning of a file is that of a log of this kind: nothing yet, or JSON objects, one of them at least with
 * what such a log holds. Lines of other versions may be among them.
 * @param head from the file's first byte on; its last line counts only when it is whole
 */
export function isLogText(kind: LogKind, head: string): boolean {
  const lines = head.split('\n')
  const last = lines.pop() ?? ''
  const whole = lines.filter((line) => line.trim() !== '')
  if (whole.length === 0) return last.trim() === '' || readLogLine(kind, last).ok
  return whole.every(isObjectLine) && whole.some((line) => readLogLine(kind, line).ok)
}

function isObjectLine(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
