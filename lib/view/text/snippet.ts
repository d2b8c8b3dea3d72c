import { visibleLine } from './visible-text'

/** A piece of found text; `hit` pieces are what was searched for. */
export type SnippetPart = { readonly text: string; readonly hit: boolean }

/** Characters shown before the first hit, and altogether. */
const LEAD = 40
const LENGTH = 180

const WORD = /[\p{L}\p{N}\p{Co}\p{M}]+/gu

/** What a search looks for: whole words, and the beginning of one when the last is still being typed. */
export type SearchTerms = { readonly words: ReadonlySet<string>; readonly prefix: string | null }

/** The words of a query as the search index compares them: without accents, in lower case. */
export function searchTerms(query: string): SearchTerms {
  const words = (query.match(WORD) ?? []).map(plain)
  const open = /[\p{L}\p{N}\p{Co}\p{M}]$/u.test(query)
  return { words: new Set(words), prefix: open ? (words.at(-1) ?? null) : null }
}

/**
 * The surroundings of the first hit in a text, on one line, with every hit marked. The text is written by others:
 * hidden characters are named. @returns null when none of the words is in the text
 */
export function makeSnippet(text: string, terms: SearchTerms): readonly SnippetPart[] | null {
  const line = visibleLine(text.replace(/\s+/g, ' '))
  const hits = [...line.matchAll(WORD)]
    .filter((match) => isHit(plain(match[0]), terms))
    .map((match) => ({ start: match.index, end: match.index + match[0].length }))
  const first = hits[0]
  if (!first) return null
  const start = first.start <= LEAD ? 0 : wordStart(line, first.start - LEAD)
  const end = Math.min(line.length, Math.max(start + LENGTH, first.end))
  const parts: SnippetPart[] = []
  const add = (piece: string, hit: boolean) => {
    if (piece !== '') parts.push({ text: piece, hit })
  }
  let at = start
  if (start > 0) add('… ', false)
  for (const hit of hits) {
    if (hit.start < at || hit.end > end) continue
    add(line.slice(at, hit.start), false)
    add(line.slice(hit.start, hit.end), true)
    at = hit.end
  }
  add(line.slice(at, end), false)
  if (end < line.length) add(' …', false)
  return parts
}

/** The beginning of a text, for a hit that is further on. */
export function snippetStart(text: string): readonly SnippetPart[] {
  const line = visibleLine(text.replace(/\s+/g, ' '))
  if (line === '') return []
  return [{ text: line.length > LENGTH ? `${line.slice(0, LENGTH)} …` : line, hit: false }]
}

function isHit(word: string, { words, prefix }: SearchTerms): boolean {
  return words.has(word) || (prefix !== null && word.startsWith(prefix))
}

function plain(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

function wordStart(line: string, from: number): number {
  const space = line.indexOf(' ', from)
  return space < 0 || space > from + LEAD ? from : space + 1
}
