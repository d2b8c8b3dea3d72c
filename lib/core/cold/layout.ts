import { safeName } from './names'
import { readColdLine } from './record'

/** Ending of every file of cold storage. */
export const ENDING = '.jsonl'
/** Folder of journals; its name is none that a session gets. */
export const JOURNALS = '.journal'
/** The index that memfas looks things up in. */
export const INDEX = `index${ENDING}`

/** What a file of cold storage is by its place. `chunks` names the folder, which is that of one session. */
export type ColdFile =
  | { readonly kind: 'index' | 'journal' }
  | { readonly kind: 'chunks'; readonly folder: string }

/** What a file would be by its path below the root; null when cold storage has no such file. */
export function coldFileAt(parts: readonly string[]): ColdFile | null {
  const [first = '', second, ...deeper] = parts
  if (second === undefined) return first === INDEX ? { kind: 'index' } : null
  if (deeper.length > 0 || !second.endsWith(ENDING)) return null
  if (first === JOURNALS) return { kind: 'journal' }
  return first.startsWith('.') ? null : { kind: 'chunks', folder: first }
}

/**
 * Whether what a file holds is what its place in cold storage promises, so that it may be taken away as a file of cold
 * storage: records of chunks only, those of one session in its folder, or lines of the index. A line that a crash cut
 * short may end it.
 */
export function isColdText(file: ColdFile, text: string): boolean {
  const lines = text.split('\n')
  const torn = lines.pop() ?? ''
  const whole = lines.filter((line) => line.trim() !== '')
  const fits = (line: string) => (file.kind === 'index' ? isIndexLine(line) : isRecord(file, line))
  // A last line without its end may be whole nevertheless.
  if (whole.length === 0)
    return torn === '' ? file.kind !== 'chunks' : fits(torn) || (file.kind === 'journal' && isBegun(torn))
  return whole.every(fits)
}

/** The beginning of a line as `coldLine` writes it: a journal that a crash cut short in its first line. */
function isBegun(torn: string): boolean {
  return torn.startsWith('{"chunk_id":')
}

function isRecord(file: ColdFile, line: string): boolean {
  const read = readColdLine(line)
  if (!read.ok) return false
  const { sessionId } = read.record
  return file.kind !== 'chunks' || sessionId === file.folder || safeName(sessionId) === file.folder
}

function isIndexLine(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && 'chunk_id' in value && 'session_id' in value
  } catch {
    return false
  }
}
