import { stringify } from 'smol-toml'
import type { SourceEdit } from './source-edit'
import { nodeAt, type ParsedSource, parseSource, plainValue } from './source-tree'

/**
 * Sets a value of a TOML text that is not in a table: in its line where it is there, else in a line before the first
 * table. Comments and every other byte stay.
 * @throws Error when the key is in a table, or cannot be set without touching others
 */
export function setInToml(source: ParsedSource, { path, value }: SourceEdit): string {
  const { text, root, file } = source
  const [key = ''] = path
  const byHand = new Error(`${file}: ${path.join('.')} cannot be set without rewriting the file by hand`)
  if (path.length !== 1 || !/^[A-Za-z0-9_-]+$/.test(key)) throw byHand
  const existing = nodeAt(root, path)
  if (existing !== null && plainValue(existing) === value) return text
  const line = stringify({ [key]: value }).trimEnd()
  const written = line.slice(line.indexOf('=') + 1).trim()
  const candidates =
    existing === null
      ? placesForLine(text).map((at) => insertLine(text, at, line))
      : [replaceValue(text, existing.start, existing.end, written)]
  const wanted = JSON.stringify({ ...plainOf(root), [key]: value }, ordered)
  for (const candidate of candidates) {
    if (JSON.stringify(plainOf(parseSource(candidate, file).root), ordered) === wanted) return candidate
  }
  throw byHand
}

function plainOf(root: ParsedSource['root']): { readonly [key: string]: unknown } {
  return root === null ? {} : { ...(plainValue(root) as { readonly [key: string]: unknown }) }
}

/** Keys of maps in one order, and numbers beyond JSON as text, so that equal contents are equal texts. */
function ordered(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** A text or number at the beginning of what is behind the `=`; a comment may follow. */
const SIMPLE = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w.+-]+)/

function replaceValue(text: string, start: number, end: number, written: string): string {
  const before = SIMPLE.exec(text.slice(start, end))?.[0]
  return before === undefined ? '' : text.slice(0, start) + written + text.slice(start + before.length)
}

/** Before the first line that looks like a table; where that is inside a text, at the beginning. */
function placesForLine(text: string): readonly number[] {
  const table = /^[ \t]*\[/m.exec(text)
  if (table === null) return [text.length]
  // A comment right above a table belongs to it.
  let at = table.index
  for (;;) {
    const above = text.lastIndexOf('\n', at - 2) + 1
    if (!/^[ \t]*#/.test(text.slice(above, at))) break
    at = above
  }
  return [behindBlank(text, at), table.index, 0]
}

/** A blank line that parts the tables from what is above stays where it is. */
function behindBlank(text: string, at: number): number {
  const blank = /(?:\r?\n[ \t]*)+$/.exec(text.slice(0, at))
  return blank === null ? at : text.indexOf('\n', blank.index) + 1
}

function insertLine(text: string, at: number, line: string): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const lead = at > 0 && text[at - 1] !== '\n' ? newline : ''
  return `${text.slice(0, at)}${lead}${line}${newline}${text.slice(at)}`
}
