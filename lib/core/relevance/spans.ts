/**
 * Spans: the pieces of a text that a later step may need literally, such as paths, addresses, identifiers and numbers
 * (lib/docs/relevance.md#spans). One scan from left to right over words of bounded length, so time is linear whatever
 * the text.
 */
export const SPAN_CLASSES = [
  'path',
  'url',
  'uuid',
  'hex',
  'host',
  'email',
  'error',
  'identifier',
  'number',
  'quoted',
] as const

export type SpanClass = (typeof SPAN_CLASSES)[number]

export type Span = {
  readonly kind: SpanClass
  /** As it is in the text, without punctuation around it. A short number carries the word on its left. */
  readonly text: string
}

/** How much a span of a class is worth keeping, before rarity (lib/docs/relevance.md#spans). */
export const SPAN_WEIGHTS: { readonly [K in SpanClass]: number } = {
  path: 1,
  url: 1,
  uuid: 1,
  hex: 1,
  host: 1,
  email: 1,
  error: 0.8,
  identifier: 0.6,
  number: 0.3,
  quoted: 0.5,
}

/** Longer texts are examined from both ends only, in characters. */
const MAX_TEXT = 200_000
/** Longer words are data, not names. */
const MAX_WORD = 300
const [MIN_QUOTED, MAX_QUOTED] = [8, 80]

/**
 * Calls `visit` for each span of a text, in order of appearance; the same span may come several times.
 * @param other gets the words with signs or capitals in them that are no span, such as a call with its arguments
 */
export function scanSpans(
  text: string,
  visit: (span: Span) => void,
  other: ((word: string) => void) | null = null,
): void {
  if (text.length <= MAX_TEXT) scan(text, visit, other)
  else {
    scan(text.slice(0, MAX_TEXT / 2), visit, other)
    scan(text.slice(-MAX_TEXT / 2), visit, other)
  }
}

/** The distinct spans of a text, in order of first appearance. */
export function spansOf(text: string): Span[] {
  const found = new Map<string, Span>()
  scanSpans(text, (span) => {
    if (!found.has(span.text)) found.set(span.text, span)
  })
  return [...found.values()]
}

function scan(text: string, visit: (span: Span) => void, other: ((word: string) => void) | null): void {
  const { length } = text
  /** The last word with more than lower-case letters in it, and where it ends. */
  let left = ''
  let leftEnd = -1
  let i = 0
  for (;;) {
    i = nextSign(text, i)
    if (i >= length) return
    const code = text.charCodeAt(i)
    if (signOf(code) === 0) {
      const quoted = quotedAt(text, i, code)
      if (quoted !== null) visit({ kind: 'quoted', text: quoted })
      i += 1
      continue
    }
    let start = i
    while (start > 0 && signOf(text.charCodeAt(start - 1)) === LOWER) start -= 1
    do i += 1
    while (i < length && signOf(text.charCodeAt(i)) !== 0)
    const word = i - start > MAX_WORD ? '' : trimmed(text.slice(start, i))
    const kind = word.length < 3 ? null : kindOf(word)
    if (kind !== null) visit({ kind, text: kind === 'path' ? pathOf(word) : word })
    else if (SHORT_NUMBER.test(word)) {
      const before = wordBefore(text, start, leftEnd) ?? left
      if (PLAIN_WORD.test(before)) visit({ kind: 'number', text: `${before} ${word}` })
    } else if (other !== null && word !== '') other(word)
    left = word
    leftEnd = i
  }
}

/** So many units are looked at one by one before they are searched: in code and data the next sign is near. */
const NEAR = 48

/** What is neither a lower-case letter nor white space or a sign that ends words: quotation marks are looked at. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: white space is all up to the blank.
const SIGN = /[^a-z\x00-\x20<>{},;|*!^&\xa0\u2000-\u206f\u3000]/g

/** The next place at which something is that is no plain word and does not just end one; the end where there is none. */
function nextSign(text: string, from: number): number {
  const near = Math.min(text.length, from + NEAR)
  for (let i = from; i < near; i++) {
    const code = text.charCodeAt(i)
    const sign = signOf(code)
    if (sign === OTHER || (sign === 0 && isQuote(code))) return i
  }
  if (near === text.length) return near
  SIGN.lastIndex = near
  return SIGN.test(text) ? SIGN.lastIndex - 1 : text.length
}

/** The word of lower-case letters in front of a place; null where the one that ends at `known` is nearer. */
function wordBefore(text: string, place: number, known: number): string | null {
  const least = Math.max(known, 0)
  let end = place
  while (end > least && signOf(text.charCodeAt(end - 1)) === 0) end -= 1
  if (end === known) return null
  let start = end
  while (start > least && signOf(text.charCodeAt(start - 1)) === LOWER) start -= 1
  return text.slice(start, Math.min(end, start + MAX_WORD))
}

/** A path without the line number behind it. */
function pathOf(word: string): string {
  return word.replace(LINE_SUFFIX, '')
}

/** The literal that begins with the quotation mark at `at`, if it is of the length and kind that is worth keeping. */
function quotedAt(text: string, at: number, quote: number): string | null {
  // An apostrophe inside a word begins nothing.
  if (isWordCode(text.charCodeAt(at - 1))) return null
  const end = at + MAX_QUOTED + 2
  for (let i = at + 1; i < end; i++) {
    const code = text.charCodeAt(i)
    if (code === 10) return null
    if (code !== quote) continue
    const inner = text.slice(at + 1, i)
    if (inner.length < MIN_QUOTED || !inner.includes(' ')) return null
    return NOT_PROSE.test(inner) ? inner : null
  }
  return null
}

function kindOf(word: string): SpanClass | null {
  if (URL_SHAPE.test(word)) return 'url'
  if (!HAS_SIGN.test(word)) return plainKind(word)
  if (word.includes('@') && EMAIL.test(word)) return 'email'
  if (UUID.test(word)) return 'uuid'
  if (isPath(word)) return 'path'
  if (HOST.test(word)) return 'host'
  if (DECIMAL.test(word)) return 'number'
  return word.length >= 6 && isName(word) ? 'identifier' : null
}

/** snake_case, dotted.names, Outer::inner, kebab-case with two dashes, camelCase with any of these. */
export function isName(word: string): boolean {
  if (!NAME_SHAPE.test(word)) return false
  return SNAKE.test(word) || DOTTED.test(word) || KEBAB.test(word) || CAMEL.test(word)
}

/** Words of letters and digits only. */
function plainKind(word: string): SpanClass | null {
  const first = word.charCodeAt(0)
  if (first >= 48 && first <= 57 && NUMBER.test(word)) return word.length >= 6 ? 'number' : null
  if (ERROR_NAME.test(word)) return 'error'
  if (word.length >= 7 && HEX.test(word)) return 'hex'
  return word.length >= 6 && CAMEL.test(word) ? 'identifier' : null
}

function isPath(word: string): boolean {
  if (!PATH_SHAPE.test(word)) return false
  if (KNOWN_EXTENSION.test(word)) return true
  if (!word.includes('/') || word.length < 6) return false
  // `and/or`, `1/2` and dates have slashes too.
  return /^[~./]/.test(word) || word.split('/').length > 2 || /[._-]/.test(word)
}

const URL_SHAPE = /^[a-z][a-z0-9+.-]{1,15}:\/\/[^/]/i
const HAS_SIGN = /[^A-Za-z0-9]/
const EMAIL = /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const HOST = /^(localhost|[\w-]+(\.[\w-]+)+):\d{2,5}$/
const HEX = /^(0x)?(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]+$/i
const NUMBER = /^\d+$/
const DECIMAL = /^-?\d+\.\d{3,}$/
const SHORT_NUMBER = /^\d{4,5}$/
const PLAIN_WORD = /^[A-Za-z][\w-]{1,30}$/
const ERROR_NAME = /^([A-Z]\w*(Error|Exception)|E[A-Z]{4,}|TS\d{4})$/
const CAMEL = /[a-z][A-Z]|[A-Z]{2}[a-z]+[A-Z]/
const NAME_SHAPE = /^@?[A-Za-z_$][\w$.:-]*(\(\))?$/
const SNAKE = /[A-Za-z0-9]_[A-Za-z0-9]/
const DOTTED = /[A-Za-z_](\.|::)[A-Za-z_]/
const KEBAB = /\w-\w+-\w/
const PATH_SHAPE = /^(~|\.{1,2}|[A-Za-z]:)?[\w@+\-./\\[\]()$%=]+(:\d+){0,2}$/
const KNOWN_EXTENSION =
  /[\w\])]\.(tsx?|jsx?|mjs|cjs|json[lc5]?|ya?ml|toml|md|mdx|txt|py|rs|go|java|kt|c|h|cc|cpp|hpp|cs|rb|php|sh|bash|zsh|sql|css|scss|html?|xml|svg|png|jpe?g|gif|webp|pdf|csv|lock|log|env|ini|cfg|conf|db|sqlite|prisma|proto|graphql|vue|svelte|swift|gradle|tf|zip|gz|zst|wasm)(:\d+){0,2}$/i
const LINE_SUFFIX = /(:\d+){1,2}$/
const NOT_PROSE = /[^A-Za-z\s,.'!?-]/

/** What a word is made of: lower-case letters only, or something else as well. */
const [LOWER, OTHER] = [1, 2]
/** 0 is what ends a word: white space, quotation marks and brackets that names do not hold. */
const SIGNS = new Uint8Array(128).fill(OTHER)
for (let code = 97; code <= 122; code++) SIGNS[code] = LOWER
for (let code = 0; code <= 32; code++) SIGNS[code] = 0
for (const character of '"\'`<>{},;|*!^&') SIGNS[character.charCodeAt(0)] = 0

function signOf(code: number): number {
  if (code < 128) return SIGNS[code] as number
  return code === 0xa0 || (code >= 0x2000 && code <= 0x206f) || code === 0x3000 ? 0 : OTHER
}

function isQuote(code: number): boolean {
  return code === 34 || code === 39 || code === 96
}

function isWordCode(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}

/**
 * Without brackets and punctuation that belong to the sentence; a bracket whose partner is in the word belongs to it.
 */
function trimmed(word: string): string {
  let start = 0
  let end = word.length
  while (start < end && '([#='.includes(word[start] ?? '')) start += 1
  while (end > start && '.:?)]=/'.includes(word[end - 1] ?? '')) {
    if (closesOwnBracket(word.slice(start, end))) break
    end -= 1
  }
  return word.slice(start, end)
}

function closesOwnBracket(word: string): boolean {
  const close = word.at(-1)
  if (close !== ')' && close !== ']') return false
  const open = close === ')' ? '(' : '['
  return word.split(open).length >= word.split(close).length
}
