import type { Stats } from 'node:fs'

/**
 * Whether a name of a session or file means what is under it, whatever that is (a pipe is refused later, by what it
 * is). A folder may by chance be called like a session, and counts only when it is named like a transcript.
 */
export function namesFile(name: string, there: Pick<Stats, 'isDirectory'>): boolean {
  return !there.isDirectory() || name.endsWith('.jsonl')
}
