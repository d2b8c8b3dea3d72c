import type { Cursor, FoundTranscript } from './ports'

/**
 * Bytes that are after the last line that was taken, when the source was read to its end; null where that says
 * nothing: rows of a database, and files that are packed.
 */
export function unfinishedBytes(
  { era }: { readonly era: string },
  { path }: Pick<FoundTranscript, 'path'>,
  cursor: Pick<Cursor, 'size' | 'offset'> | null,
): number | null {
  if (cursor === null || era !== 'jsonl' || path.endsWith('.zst')) return null
  return Math.max(0, cursor.size - cursor.offset)
}
