/** Gets a word: the hash of its letters and digits, capitals as small letters, and where it is, in characters. */
export type VisitWord = (hash: number, from: number, to: number) => void

/** Longer texts are looked at from both ends only, as for spans. Characters. */
const MAX_TEXT = 200_000
/** A number before a line has no more digits. */
const MOST_DIGITS = 6
const [NEWLINE, TAB, BLANK, BACKSLASH] = [10, 9, 32, 92]
/** What is between the number of a line and the line: a tab, a colon, a bar, an arrow. */
const BEHIND_NUMBER = [TAB, 58, 124, 0x2192]
/** Letters behind a backslash that are white space in a string of a program or of JSON: n, r, t. */
const ESCAPED = [110, 114, 116]

/**
 * Calls `visit` for the words of a text, in order: letters, digits and underscores. What makes no difference to what a
 * text says is none: marks, escaped line ends and tabs, and the numbers that tools put before the lines of a file, where
 * they count up one by one. Linear in the length.
 */
export function forWords(text: string, visit: VisitWord): void {
  if (text.length <= MAX_TEXT) scan(text, 0, text.length, visit)
  else {
    scan(text, 0, MAX_TEXT / 2, visit)
    scan(text, text.length - MAX_TEXT / 2, text.length, visit)
  }
}

/** The words of a text in small letters, with a blank between them and at both ends. */
export function wordsAsText(text: string): string {
  const words: string[] = ['']
  forWords(text, (_, from, to) => words.push(text.slice(from, to)))
  return `${words.join(' ').toLowerCase()} `
}

function scan(text: string, start: number, end: number, visit: VisitWord): void {
  /** The number of the last numbered line. */
  let line = -1
  let isLineStart = true
  for (let i = start; i < end; ) {
    if (isLineStart) {
      isLineStart = false
      const behind = numberEnd(text, i)
      if (behind > 0) {
        const number = numberBefore(text, behind)
        if (number === line + 1 || isNumbered(text, behind, number + 1)) {
          line = number
          i = behind + 1
          continue
        }
      }
    }
    const code = text.charCodeAt(i)
    if (!isWord(code)) {
      isLineStart = code === NEWLINE
      i += code === BACKSLASH && ESCAPED.includes(text.charCodeAt(i + 1)) ? 2 : 1
      continue
    }
    const from = i
    let hash = 0x811c9dc5
    for (let next = code; i < end && isWord(next); next = text.charCodeAt(i)) {
      hash = Math.imul(hash ^ (next >= 65 && next <= 90 ? next | 32 : next), 0x01000193)
      i += 1
    }
    visit(hash, from, i)
  }
}

/** Where the number ends that a line begins with, if it may be that of the line; 0: it begins with none. */
function numberEnd(text: string, start: number): number {
  let at = start
  for (let code = text.charCodeAt(at); code === BLANK || code === TAB; code = text.charCodeAt(at)) at += 1
  const from = at
  while (isDigit(text.charCodeAt(at))) at += 1
  const digits = at - from
  return digits > 0 && digits <= MOST_DIGITS && BEHIND_NUMBER.includes(text.charCodeAt(at)) ? at : 0
}

function numberBefore(text: string, end: number): number {
  let from = end
  while (from > 0 && isDigit(text.charCodeAt(from - 1))) from -= 1
  return Number(text.slice(from, end))
}

/** Whether the line after a place has a number before it, and this one. */
function isNumbered(text: string, place: number, number: number): boolean {
  const newline = text.indexOf('\n', place)
  const behind = newline < 0 ? 0 : numberEnd(text, newline + 1)
  return behind > 0 && numberBefore(text, behind) === number
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function isWord(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    isDigit(code) ||
    code === 95 ||
    (code >= 0xc0 && !isSymbol(code))
  )
}

/** Punctuation, arrows, lines of boxes and the like. */
function isSymbol(code: number): boolean {
  return (code >= 0x2000 && code <= 0x2bff) || (code >= 0x3000 && code <= 0x3003)
}
