import truncatedWidth from 'fast-string-truncated-width'

/**
 * Transcript text on its way to a terminal: escape sequences, other control characters and marks that turn the reading
 * direction are written out instead of acting. Tabs and newlines become spaces: a cell is one line.
 */
export function toTerminal(text: string): string {
  return text.replace(/[\t\n\r]+/g, ' ').replace(UNSAFE, writeOut)
}

// Controls (escape sequences begin with one), marks of direction and other invisible formatting, separators of lines
// and paragraphs, halves of characters.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

function writeOut(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

/** The same for a JSON document: there the characters can be kept, as escapes of JSON itself. */
export function toSafeJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(UNSAFE, (character) =>
    character === '\n' ? character : escapeUnits(character),
  )
}

function escapeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('')
}

/** Columns that a text takes on a terminal: wide characters and emoji count two, combining ones none. */
export function terminalWidth(text: string): number {
  return truncatedWidth(text).width
}

/** Cuts a text to a width, between characters as a reader sees them, with an ellipsis where something is missing. */
export function cutToWidth(text: string, width: number): string {
  if (terminalWidth(text) <= width) return text
  let kept = ''
  let used = 1
  // The library's own cut can fall inside a surrogate pair.
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += terminalWidth(segment)
    if (used > width) break
    kept += segment
  }
  return `${kept}…`
}
