import type { CredentialRange } from '../../core/redaction/credential-range'

/** What a text has in place of a value that is not shown: dots, and digits that say which one. */
const STAND_IN = /•{6}([0-9a-f]{8})/g

/** Shorter pieces between line breaks are no values: the sign that a block of YAML begins with. */
const SHORTEST = 3

/** The name of a stand-in, from the digits of its value. Eight hex digits. */
export function coveredName(digits: string): string {
  return `••••••${digits}`
}

export function hasStandIns(text: string): boolean {
  return text.search(STAND_IN) >= 0
}

/** Whether a text is a stand-in and nothing else. */
export function isStandIn(text: string): boolean {
  return text.replace(STAND_IN, '') === '' && text !== ''
}

/**
 * The text with a stand-in for the value in each range. Quotes stay, and so do lines and their indents: the file can be
 * read as before. Where `nameOf` knows no name, the value stays.
 */
export function withStandIns(
  text: string,
  ranges: readonly CredentialRange[],
  nameOf: (value: string) => string | null,
): string {
  let shown = ''
  let at = 0
  for (const { start, end } of ranges.flatMap((range) => valuesIn(text, range))) {
    const value = text.slice(start, end)
    shown += text.slice(at, start) + (nameOf(value) ?? value)
    at = end
  }
  return shown + text.slice(at)
}

/** The text with the values back; those that are not known stay, with the lines they are on, from 1. */
export function withValues(
  text: string,
  find: (name: string) => string | undefined,
): { readonly text: string; readonly unknown: readonly number[] } {
  const unknown: number[] = []
  const whole = text.replace(STAND_IN, (name: string, _digits: string, at: number) => {
    const value = find(name)
    if (value === undefined) unknown.push(text.slice(0, at).split('\n').length)
    return value ?? name
  })
  return { text: whole, unknown }
}

/** The lines of a range without indents and quotes. */
function valuesIn(text: string, { start, end }: CredentialRange): CredentialRange[] {
  const values: CredentialRange[] = []
  for (let line = start; line < end; ) {
    const next = text.indexOf('\n', line)
    const lineEnd = next < 0 || next > end ? end : next
    const piece = text.slice(line, lineEnd)
    const inner = /^\s*(["'`]?)(.*?)(?:\1)\s*$/s.exec(piece)?.[2] ?? piece
    const at = line + piece.indexOf(inner)
    if (inner.length >= SHORTEST) values.push({ start: at, end: at + inner.length })
    line = lineEnd + 1
  }
  return values
}
