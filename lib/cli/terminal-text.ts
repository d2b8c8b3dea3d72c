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

/** Columns that a text takes on a terminal: wide characters count two, combining ones none. */
export function terminalWidth(text: string): number {
  let width = 0
  for (const character of text) {
    if (/\p{Mark}/u.test(character)) continue
    width += WIDE.test(character) ? 2 : 1
  }
  return width
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u

/** Cuts a text to a width, with an ellipsis where something is missing. */
export function cutToWidth(text: string, width: number): string {
  if (terminalWidth(text) <= width) return text
  let kept = ''
  let used = 1
  for (const character of text) {
    used += terminalWidth(character)
    if (used > width) break
    kept += character
  }
  return `${kept}…`
}
