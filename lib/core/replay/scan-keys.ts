import { isName, type SpanClass, scanSpans } from '../relevance/spans'
import { partsOfPath, spanKey } from './span-key'

/** Names in a word, each with what it is a part of. */
const CHAIN = /[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*/g
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
    (span) => visit(span.kind, spanKey(span, cwd)),
    (word) => {
      if (word.length < LEAST_NAME) return
      for (const [name] of word.matchAll(CHAIN))
        if (name.length >= LEAST_NAME && isName(name))
          visit('identifier', spanKey({ kind: 'identifier', text: name }, cwd))
    },
  )
}

/**
 * What else can be written by whoever reads a key: of a path the folders on it and its last part, of a name the names
 * that it is made of.
 */
export function partsOfKey(kind: SpanClass, key: string): string[] {
  if (kind === 'path') return partsOfPath(key)
  if (kind !== 'identifier' || !/[.:]/.test(key)) return []
  return key.split(/\.|::/).filter((part) => part.length >= LEAST_NAME && isName(part))
}
