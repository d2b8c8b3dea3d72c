/** Where in a JSON document: keys of objects and indexes of lists, from the outside in. */
type JsonPath = readonly (string | number)[]

/**
 * One change of a JSON text. `set` replaces a value, or adds the key; `remove` takes an element out of a list, or all
 * members of a name out of an object. Values are JSON text.
 */
export type JsonEdit =
  | { readonly set: JsonPath; readonly value: string }
  | { readonly remove: readonly (string | number)[] }

type Span = { readonly from: number; readonly to: number }

/**
 * Changes a JSON text in the places named and nowhere else: what a parser would round, fold or forget (large numbers,
 * repeated keys, escapes) stays as it was written. Paths that lead nowhere are passed over.
 */
export function editJson(text: string, edits: readonly JsonEdit[]): string {
  let edited = text
  for (const edit of edits)
    edited = 'set' in edit ? setValue(edited, edit.set, edit.value) : removeElement(edited, edit.remove)
  return edited
}

function setValue(text: string, path: JsonPath, value: string): string {
  const key = path.at(-1)
  const holder = spanAt(text, path.slice(0, -1))
  if (holder === null || key === undefined) return text
  const span = childSpan(text, holder, key)
  if (span !== null) return text.slice(0, span.from) + value + text.slice(span.to)
  if (text[holder.from] !== '{' || typeof key === 'number') return text
  const first = skipSpace(text, holder.from + 1)
  const comma = text[first] === '}' ? '' : ','
  return `${text.slice(0, first)}${JSON.stringify(key)}:${value}${comma}${text.slice(first)}`
}

function removeElement(text: string, path: JsonPath): string {
  const key = path.at(-1)
  const holder = spanAt(text, path.slice(0, -1))
  if (holder === null || key === undefined) return text
  if (typeof key === 'string' && text[holder.from] !== '{') return text
  const span = typeof key === 'number' ? childSpan(text, holder, key) : wholeMember(text, holder.from, key)
  if (span === null) return text
  const rest = withoutSpan(text, span)
  // A key that was written twice would show its first value now.
  return typeof key === 'string' ? removeElement(rest, path) : rest
}

function withoutSpan(text: string, span: Span): string {
  const next = skipSpace(text, span.to)
  if (text[next] === ',') return text.slice(0, span.from) + text.slice(skipSpace(text, next + 1))
  let before = span.from - 1
  while (isSpace(text.charCodeAt(before))) before--
  return text.slice(0, text[before] === ',' ? before : span.from) + text.slice(span.to)
}

/** Where the value at `path` is in the text; null when there is none. */
function spanAt(text: string, path: JsonPath): Span | null {
  const from = skipSpace(text, 0)
  let span: Span | null = { from, to: skipValue(text, from) }
  for (const key of path) {
    if (span === null) return null
    span = childSpan(text, span, key)
  }
  return span
}

function childSpan(text: string, { from }: Span, key: string | number): Span | null {
  if (typeof key === 'number') return text[from] === '[' ? elementSpan(text, from, key) : null
  return text[from] === '{' ? memberSpan(text, from, key) : null
}

function elementSpan(text: string, from: number, index: number): Span | null {
  let at = skipSpace(text, from + 1)
  for (let i = 0; at < text.length && text[at] !== ']'; i++) {
    const to = skipValue(text, at)
    if (i === index) return { from: at, to }
    at = skipComma(text, to)
  }
  return null
}

/** The value of the last member of that name, which is the one that counts. */
function memberSpan(text: string, from: number, key: string): Span | null {
  const member = wholeMember(text, from, key)
  return member === null ? null : { from: member.value, to: member.to }
}

/** The same with its name. */
function wholeMember(text: string, from: number, key: string): (Span & { readonly value: number }) | null {
  let found: (Span & { readonly value: number }) | null = null
  let at = skipSpace(text, from + 1)
  while (at < text.length && text[at] !== '}') {
    const nameEnd = skipValue(text, at)
    const name = text.slice(at, nameEnd)
    const value = skipSpace(text, skipSpace(text, nameEnd) + 1)
    const to = skipValue(text, value)
    if (isName(name, key)) found = { from: at, value, to }
    at = skipComma(text, to)
  }
  return found
}

function isName(written: string, key: string): boolean {
  return written.includes('\\') ? JSON.parse(written) === key : written === `"${key}"`
}

/** The end of the value that begins at `from`. The text is known to be JSON. */
function skipValue(text: string, from: number): number {
  const first = text[from]
  if (first === '"') return skipString(text, from)
  if (first !== '{' && first !== '[') {
    let at = from
    while (at < text.length && !/[,\]}\s]/.test(text[at] ?? '')) at++
    return at
  }
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = skipString(text, at) - 1
    else if (code === 0x7b || code === 0x5b) depth++
    else if ((code === 0x7d || code === 0x5d) && --depth === 0) return at + 1
  }
  return text.length
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

function skipString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return end + 1
  }
  return text.length
}

function skipComma(text: string, from: number): number {
  const at = skipSpace(text, from)
  return text[at] === ',' ? skipSpace(text, at + 1) : at
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
