import type { Policy } from '../policy/policy'

export type Shortened = { readonly text: string; readonly truncated: boolean }

type Shares = Pick<Policy['bootstrap'], 'headShare' | 'tailShare'>

/**
 * A file within `max` characters (UTF-16 units). What fits stays to the byte; of a longer file the head and the tail
 * stay, with a marker between them that names the file and how much of it is there. Where the marker and the
 * shares together would be too long, both give way in proportion. Without room for marker and text nothing is left.
 * No character is cut in half.
 */
export function shortenFile(name: string, text: string, max: number, shares: Shares): Shortened {
  if (text.length <= max) return { text, truncated: false }
  // Sized for the longest figures it can carry, so that the true ones always fit.
  const room = max - marker(name, text.length, text.length, text.length).length
  if (room <= 0) return { text: '', truncated: true }
  const { headShare, tailShare } = shares
  const scale = Math.min(1, room / Math.max(1, Math.floor(max * headShare) + Math.floor(max * tailShare)))
  const head = cutBefore(text, Math.floor(Math.floor(max * headShare) * scale))
  const tail = cutAfter(text, text.length - Math.floor(Math.floor(max * tailShare) * scale))
  return {
    text: head + marker(name, head.length, tail.length, text.length) + tail,
    truncated: true,
  }
}

function marker(name: string, head: number, tail: number, whole: number): string {
  return `\n\n[… ${name} is shortened: its first ${head} and last ${tail} of ${whole} characters are here; read the file for the rest …]\n\n`
}

/** The beginning up to `end`, or one unit less where that would cut a surrogate pair. */
function cutBefore(text: string, end: number): string {
  return text.slice(0, splitsPair(text, end) ? end - 1 : end)
}

/** The rest from `start` on, or one unit later where that would cut a surrogate pair. */
function cutAfter(text: string, start: number): string {
  return text.slice(splitsPair(text, start) ? start + 1 : start)
}

function splitsPair(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, at - 1), at + 1))
}
