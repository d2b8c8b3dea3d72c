import { isName, type Span, type SpanClass, scanSpans } from '../../relevance/spans'
import { partsOfPath, spanKey } from './span-key'

/** Names in a word, each with what it is a part of. */
const CHAIN = /[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*/g
/** In camelCase with digits before a capital, such as `sha256Sum`. */
const DIGITS_INSIDE = /^[A-Za-z$][\w$]*[a-z]\d+[A-Z][\w$]*$/
/** A long number with its unit. */
const WITH_UNIT = /^(\d{6,})(?:ms|us|ns|s|[kKMG]i?B?|B|px|tok(?:ens)?)$/
/** Shorter ones are no names, as for spans. */
const LEAST_NAME = 6

/**
 * Calls `visit` for what a text holds, by the keys that spans of one session are compared by: its spans, and the names in
 * words that are no span themselves, such as those of a call with its arguments. Linear in the length.
 */
export function scanKeys(
  text: string,
  cwd: string | null,
  visit: (kind: SpanClass, key: string) => void,
): void {
  scanSpans(
    text,
    (span) => {
      for (const one of partedSpan(span)) visit(one.kind, spanKey(one, cwd))
    },
    (word) => {
      if (word.length < LEAST_NAME) return
      const [, number] = WITH_UNIT.exec(word) ?? []
      if (number !== undefined) visit('number', number)
      if (word.includes(':') && FOUND_IN.test(word)) visitPaths(word, cwd, visit)
      for (const found of word.matchAll(CHAIN)) {
        const name = isEscaped(word, found.index) ? found[0].slice(1) : found[0]
        if (name.length >= LEAST_NAME && (isName(name) || DIGITS_INSIDE.test(name)))
          visit('identifier', spanKey({ kind: 'identifier', text: name }, cwd))
      }
    },
  )
}

/** Whether a name begins with the letter of an escaped line end or tab: the `n` of `\nError` is no part of it. */
function isEscaped(word: string, at: number): boolean {
  return at > 0 && word.charCodeAt(at - 1) === 92 && 'nrt'.includes(word.charAt(at))
}

/** What `grep` found, or a file of a revision of git: `lib/walk.ts:12:const`, `origin/main:lib/walk.ts`. */
const FOUND_IN = /^[^:]*[/.][^:]*:[^:]|:[^:]+\//

/** The paths of a word, which colons part from each other and from the rest. */
function visitPaths(word: string, cwd: string | null, visit: (kind: SpanClass, key: string) => void): void {
  for (const part of word.split(':'))
    scanSpans(part, (span) => {
      if (span.kind === 'path') visit('path', spanKey(span, cwd))
    })
}

/** A field with its value, two sides of a comparison of branches: each is a span by itself. */
function partedSpan(span: Span): readonly Span[] {
  const { kind, text } = span
  if (kind === 'path' && text.includes('...'))
    return [span, ...text.split('...').flatMap((side) => (side.includes('/') ? [{ kind, text: side }] : []))]
  if (kind !== 'identifier' || !ONE_COLON.test(text)) return [span]
  return text
    .split(ONE_COLON)
    .flatMap((part) => (part.length >= LEAST_NAME && isName(part) ? [{ kind, text: part }] : []))
}

/** The case of a test behind the name of what it tests: `TestWalk_Empty`. */
const CASE_NAME = /^([A-Za-z\d]*[a-z\d][A-Z][A-Za-z\d]*)_/
const ONE_COLON = /(?<!:):(?!:)/

/**
 * What else can be written by whoever reads a key: of a path the folders on it and its last part, of a name the names
 * that it is made of.
 */
export function partsOfKey(kind: SpanClass, key: string): string[] {
  if (kind === 'path') return partsOfPath(key)
  if (kind !== 'identifier') return []
  const [, tested] = CASE_NAME.exec(key) ?? []
  if (tested !== undefined) return isName(tested) && tested.length >= LEAST_NAME ? [tested] : []
  if (!/[.:]/.test(key)) return []
  return key.split(/\.|::/).filter((part) => part.length >= LEAST_NAME && isName(part))
}
