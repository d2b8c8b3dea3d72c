import type { CredentialRange } from './credential-range'
import { type CredentialKind, isLikelyBeginning, isLikelyCredential, type Writing } from './likely-credential'
import { type Value, ValueReader } from './value-reader'

/** Names that promise a password, wherever they are in a longer name; and those that do so as a part of it. */
const PASSWORD = 'passw(?:or)?d|passphrase|passcode|pass|pwd'

const KEY =
  'secret|cookie|credential|token|authorization|auth|jwt|' +
  '(?:api|access|account|private|shared|signing|encryption|master|storage|subscription|consumer|deploy|license|service|webhook|client|admin|ingest|integration)[_-]?key(?:[_-]?data)?'

/** Words that end in `pass` or `auth` without meaning it: `compass`. They count as a part of a name only. */
const PART_ONLY = /^(?:pass|pwd|auth|jwt)$/i

/** What may follow: `SECRET_KEY_BASE`, `DB_PASSWORD_PROD`, `password2`. */
const TAIL =
  '(?:[_-]?(?:key|value|string|base|plain|text|prod|production|dev|staging|live|test|id|\\d{1,2})){0,2}s?'

/** Between a name and its value: of an assignment, an argument, a call, an element of XML, a flag. */
const BETWEEN =
  '[ \\t]{0,4}(?::=|={1,3}>?|:)[ \\t]{0,4}|,[ \\t]{0,4}(?=["\'])|\\((?=["\'])|>|[ \\t]{1,4}value[ \\t]{0,2}=[ \\t]{0,2}|[ \\t]{1,4}'

const NAMED = new RegExp(`(?:(${PASSWORD})|(${KEY}))${TAIL}\\]?(["'\`]?)(${BETWEEN})`, 'gi')

/** A name and all before it that belongs to it: `--db-password`, `spring.datasource.password`. */
const NAME_CHARACTER = /[\w.-]/

const LONGEST_NAME = 60

type Named = {
  readonly kind: CredentialKind
  /** Where the whole name begins. */
  readonly start: number
  readonly name: string
  readonly between: string
  readonly closing: string
}

/** Where the values are that are assigned to names like `password`, `api_key` or `--token`. */
export function namedValues(text: string): CredentialRange[] {
  const found: CredentialRange[] = []
  const reader = new ValueReader(text)
  let cookiesRead = 0
  NAMED.lastIndex = 0
  for (let match = NAMED.exec(text); match !== null; match = NAMED.exec(text)) {
    const [whole, password, key = '', closing = '', between = ''] = match
    const word = password ?? key
    const at = match.index + whole.length
    // What is not a value may be the next name.
    NAMED.lastIndex = at
    const start = startOfName(text, match.index)
    if (PART_ONLY.test(word) && !beginsPart(text, match.index)) continue
    const kind: CredentialKind = password === undefined ? 'key' : 'password'
    const named: Named = { kind, start, name: text.slice(start, at - between.length), between, closing }
    if (!isAssigned(text, named)) continue
    if (COOKIE.test(key) && at >= cookiesRead) {
      const cookies = cookieValues(text, at)
      cookiesRead = cookies.end
      found.push(...cookies.found)
      NAMED.lastIndex = cookies.found.at(-1)?.end ?? at
      if (cookies.found.length > 0) continue
    }
    const ranges = valuesOf(text, named, at, reader)
    found.push(...ranges)
    NAMED.lastIndex = Math.max(at, ranges.at(-1)?.end ?? 0)
  }
  return found
}

function startOfName(text: string, at: number): number {
  let start = at
  const first = Math.max(0, at - LONGEST_NAME)
  while (start > first && NAME_CHARACTER.test(text[start - 1] ?? ' ')) start -= 1
  return start
}

/** Whether a part of a name begins here: `db_pass`, `dbPass`, but not `bypass`. */
function beginsPart(text: string, at: number): boolean {
  const before = text[at - 1] ?? ' '
  if (!/[A-Za-z]/.test(before)) return true
  return /[a-z]/.test(before) && /[A-Z]/.test(text[at] ?? '')
}

/** Whether what follows the name is a value in this place: a blank separates a flag from it, `>` an element. */
function isAssigned(text: string, { start, name, between, closing }: Named): boolean {
  if (between.trim() === '') return name.startsWith('-') && closing === ''
  if (between === '>') return text[start - 1] === '<' || closing !== ''
  if (between.startsWith(',') || between === '(') return closing !== '' || between === '('
  return true
}

function valuesOf(text: string, named: Named, at: number, reader: ValueReader): CredentialRange[] {
  const { kind, between } = named
  if (between === '>') return range(kind, text, elementValue(text, at), 'quoted')
  const value = reader.at(at)
  if (value === null) return []
  if (value.quote !== null) return range(kind, text, value, isText(named) ? 'quoted' : 'bare')
  if (!isSettingIn(text, named, value.end)) {
    const isWord =
      (between === ': ' || between === '=') && /^(?:\s|$)/.test(text.slice(value.end, value.end + 1))
    return range(kind, text, value, isWord ? 'word' : 'bare')
  }
  const end = settingEnd(text, at, reader, between)
  // Code goes on behind its value.
  if (between !== '=' && /[,;{([]/.test(text[end - 1] ?? '')) return range(kind, text, value, 'bare')
  const ranges = range(kind, text, { start: at, end }, 'setting')
  return ranges.length > 0 ? ranges : range(kind, text, value, 'setting')
}

/** Whether any quoted text is a value here: not in a call, and not after a `pass` that code may call anything. */
function isText({ name, between, closing }: Named): boolean {
  return between !== '(' && (closing !== '' || !/^pass$/i.test(name))
}

/** How a text ends of which only the beginning is there. */
const CUT = /(?:…|\.{3})$/

/** So much of a value says what it is. UTF-16 units. */
const JUDGED = 80

function range(
  kind: CredentialKind,
  text: string,
  value: Pick<Value, 'start' | 'end'> | null,
  writing: Writing,
): CredentialRange[] {
  if (value === null) return []
  const { start, end } = value
  const judged = text.slice(start, Math.min(end, start + JUDGED))
  if (isLikelyCredential(kind, judged, writing)) return [{ start, end }]
  const beginning = end === text.length ? judged.replace(CUT, '') : judged
  return beginning !== judged && isLikelyBeginning(beginning) ? [{ start, end }] : []
}

const LINE_BEFORE = /^[ \t]*(?:(?:export|set|env|arg|-e|-|\$env:)[ \t]+)*["']?$/i

/** Names that are indented further do not begin a line. */
const LONGEST_INDENT = 40

/**
 * Whether a bare value is all of a setting, as files of variables and YAML have it: the name begins the line and the
 * value ends it, or the name is one of a variable. Anything else may be code.
 */
function isSettingIn(text: string, { start, name, between }: Named, end: number): boolean {
  if (/^[A-Z][A-Z0-9_]*$/.test(name) && between === '=') return true
  if (name.startsWith('-') && between !== ':') return true
  const before = text.slice(Math.max(0, start - LONGEST_INDENT - 1), start)
  const line = before.lastIndexOf('\n') + 1
  if ((line === 0 && before.length > LONGEST_INDENT) || !LINE_BEFORE.test(before.slice(line))) return false
  if (between === '=') return true
  return between === ': ' || /^[ \t]*(?:[\r\n#]|$)/.test(text.slice(end, end + 8))
}

/** The end of a bare value of a setting. In YAML it may hold blanks; the end of the line or a comment ends it. */
function settingEnd(text: string, at: number, reader: ValueReader, between: string): number {
  const end = reader.blankAfter(at)
  if (between !== ': ') return end
  const rest = text.slice(at, at + 100).split(/\r?\n| #/, 1)[0] ?? ''
  return Math.max(end, at + rest.trimEnd().length)
}

/** The text of an element. */
function elementValue(text: string, at: number): Pick<Value, 'start' | 'end'> | null {
  const end = text.slice(at, at + 400).search(/[<\n]/)
  return end <= 0 ? null : { start: at, end: at + end }
}

const COOKIE = /^cookie$/i

/** Attributes of a cookie; they open nothing. */
const ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|version|comment|priority|secure|httponly)$/i

const PAIR = /([\w.!#$%&'*+^`|~-]{1,80})=([^\s;,"'\\]{8,2000})/g

const LONGEST_COOKIES = 4_096

/** The values of `name=value; name=value`, on one line, and how far they were searched for. */
function cookieValues(text: string, at: number): { readonly found: CredentialRange[]; readonly end: number } {
  const isQuoted = text[at] === '"' || text[at] === "'"
  const line = text.slice(isQuoted ? at + 1 : at, at + LONGEST_COOKIES).split(/["\n\\]/, 1)[0] ?? ''
  const start = isQuoted ? at + 1 : at
  const found: CredentialRange[] = []
  for (const match of line.matchAll(PAIR)) {
    const [whole, name = '', value = ''] = match
    if (ATTRIBUTE.test(name) || !/\d/.test(value) || NUMBER.test(value)) continue
    const end = start + match.index + whole.length
    found.push({ start: end - value.length, end })
  }
  return { found, end: start + line.length }
}

/** Nothing but digits and what parts them: a number or a date. */
const NUMBER = /^[\d.:-]+$/
