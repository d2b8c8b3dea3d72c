import { stringOf } from '../../transcript/json'

/** Whether a release is this one or an earlier one; false where the line names none. */
export function isUpTo(version: unknown, last: readonly [number, number, number]): boolean {
  const parts = (stringOf(version) ?? '').split('.').map((part) => Number.parseInt(part, 10))
  for (const [i, limit] of last.entries()) {
    const part = parts[i] ?? 0
    if (Number.isNaN(part)) return false
    if (part !== limit) return part < limit
  }
  return true
}
