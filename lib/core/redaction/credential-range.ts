/** A stretch of a text, in UTF-16 units; `end` is the first one behind it. */
export type CredentialRange = { readonly start: number; readonly end: number }

/** What covers a character of a credential. */
export const COVER = '•'

/** Ranges in order, those that touch made one. */
export function joinRanges(ranges: readonly CredentialRange[]): CredentialRange[] {
  const joined: CredentialRange[] = []
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (last !== undefined && range.start <= last.end) {
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, range.end) }
    } else joined.push(range)
  }
  return joined
}

/** The text with the ranges covered, as long as before; lines stay lines. */
export function coverRanges(text: string, ranges: readonly CredentialRange[]): string {
  let covered = ''
  let at = 0
  for (const { start, end } of ranges) {
    covered += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, COVER)
    at = end
  }
  return at === 0 ? text : covered + text.slice(at)
}
