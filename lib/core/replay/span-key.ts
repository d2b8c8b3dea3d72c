import type { Span } from '../relevance/spans'

/**
 * How spans of one session are compared: a path within the folder that is worked in is the same from its root and from
 * that folder, hexadecimal digits are the same in any case.
 */
export function spanKey({ kind, text }: Span, cwd: string | null): string {
  if (kind === 'hex' || kind === 'uuid') return text.toLowerCase()
  if (kind !== 'path') return text
  if (text.startsWith('./') && text.length > 2) return text.slice(2)
  if (cwd === null || cwd.length < 2 || !text.startsWith(cwd) || text.charAt(cwd.length) !== '/') return text
  return text.slice(cwd.length + 1)
}

/** Deeper folders of a path are not looked for. */
const MOST_FOLDERS = 8

/**
 * What else a chunk says that names a path: the folders on it, and its last part. Whoever reads the path can write them,
 * so such a chunk is a source of them (lib/docs/replay.md#needs).
 */
export function partsOfPath(path: string): string[] {
  const parts: string[] = []
  for (
    let at = path.lastIndexOf('/');
    at > 0 && parts.length < MOST_FOLDERS;
    at = path.lastIndexOf('/', at - 1)
  )
    parts.push(path.slice(0, at))
  if (parts.length > 0) parts.push(path.slice(path.lastIndexOf('/') + 1))
  return parts
}
