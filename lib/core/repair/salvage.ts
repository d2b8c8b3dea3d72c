import { type JsonObject, parseObject } from '../transcript/json'
import { scanObject, type TextSpan } from './json-scan'

/** An entry found inside of a line that cannot be parsed as a whole: characters from and up to. */
export type Salvaged = { readonly from: number; readonly to: number; readonly value: JsonObject }

/** What a line is made of that cannot be parsed as a whole: entries, and between them what is torn. */
export type LinePart =
  | (Salvaged & { readonly kind: 'entry' })
  | { readonly kind: 'torn'; readonly from: number; readonly to: number }

/** How an entry begins wherever one was written by a program that puts its type first: pi, OpenClaw, and Plimsoll. */
const BEGINNING =
  /\{"type":"(?:(?:session|message|thinking_level_change|model_change|compaction|reset|branch_summary|custom|custom_message|label|session_info|leaf)"|[a-z_-]{1,64}","id":"[^"\\]{1,128}","parentId":)/g

/** The entry of a line once stray bytes at its ends are taken away; null when there is none. */
export function withoutStrayBytes(text: string): Salvaged | null {
  const from = skipStray(text, 0)
  let to = text.length
  while (to > from && isStray(text.charCodeAt(to - 1))) to--
  if (from >= to || (from === 0 && to === text.length)) return null
  const value = parseObject(text.slice(from, to))
  return value === null ? null : { from, to, value }
}

/** Controls and blanks, a byte order mark, and the character for bytes that are not UTF-8. */
function isStray(code: number): boolean {
  return code <= 0x20 || code === 0xfeff || code === 0xfffd
}

/**
 * Takes apart a line on which entries grew together, in time that grows with its length alone: as many entries as there
 * are, and what is torn before, between and behind them. No parts: no entry is whole.
 *
 * An entry that begins inside of what is torn is found as well. Inside of a torn string the quote of its own `"type"`
 * ends that string, so the torn entry ceases to be JSON two characters behind the place where the next one begins.
 */
export function splitJoined(text: string, beginning: RegExp = BEGINNING): readonly LinePart[] {
  const found: Salvaged[] = []
  for (let at = skipStray(text, 0); at < text.length; ) {
    const from = text[at] === '{' ? at : nextBeginning(text, at, beginning)
    if (from === null) break
    const scan = scanObject(text, from)
    const whole = scan.kind === 'whole' ? { from, to: scan.to } : entryBefore(text, scan.before, beginning)
    const value = whole === null ? null : parseObject(text.slice(whole.from, whole.to))
    if (whole !== null && value !== null && typeof value.type === 'string') found.push({ ...whole, value })
    if (scan.kind === 'whole') at = skipStray(text, scan.to)
    else at = nextBeginning(text, Math.max(from + 1, scan.at - 2), beginning) ?? text.length
  }
  return found.length === 0 ? [] : withTorn(text, found)
}

function nextBeginning(text: string, from: number, beginning: RegExp): number | null {
  beginning.lastIndex = from
  return beginning.exec(text)?.index ?? null
}

/** A whole entry behind which a torn one ceases to be JSON, as it grew onto that one and does not belong there. */
function entryBefore(text: string, before: TextSpan | null, beginning: RegExp): TextSpan | null {
  return before !== null && nextBeginning(text, before.from, beginning) === before.from ? before : null
}

/** Puts what is torn between entries; bytes that mean nothing are left out. */
function withTorn(text: string, entries: readonly Salvaged[]): readonly LinePart[] {
  const parts: LinePart[] = []
  let last = 0
  const addTorn = (end: number) => {
    const from = skipStray(text, last)
    let to = end
    while (to > from && isStray(text.charCodeAt(to - 1))) to--
    if (from < to) parts.push({ kind: 'torn', from, to })
  }
  for (const entry of entries) {
    addTorn(entry.from)
    parts.push({ kind: 'entry', ...entry })
    last = entry.to
  }
  addTorn(text.length)
  return parts
}

function skipStray(text: string, from: number): number {
  let at = from
  while (at < text.length && isStray(text.charCodeAt(at))) at++
  return at
}

/** Id and parent of a line that cannot be parsed, from its beginning: what named it can go on from its parent. */
export function namesOfBadLine(
  text: string,
): { readonly id: string; readonly parentId: string | null } | null {
  const match = NAMES.exec(text.slice(0, 512))
  return match?.[1] === undefined ? null : { id: match[1], parentId: match[2] ?? null }
}

const NAMES = /\{"type":"[a-z_]+","id":"([^"\\]{1,128})","parentId":(?:"([^"\\]{1,128})"|null)/
