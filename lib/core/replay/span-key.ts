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
