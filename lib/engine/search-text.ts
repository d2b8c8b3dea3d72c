import type { EntryFact } from '../core/transcript/entry'

/**
 * How much text of one entry goes into the search index, in UTF-16 units. People and models say what matters early;
 * tool results are the bulk of every transcript, and what is looked for in them (names, paths, errors) mostly stands at their head.
 */
export const SEARCH_CHARS = 2048
export const SEARCH_CHARS_TOOL_RESULT = 1024

/** The part of an entry's text that goes into the search index. */
export function boundSearchText(fact: Pick<EntryFact, 'role'>, text: string): string {
  const limit =
    fact.role === 'toolResult' || fact.role === 'bashExecution' ? SEARCH_CHARS_TOOL_RESULT : SEARCH_CHARS
  return text.length > limit ? text.slice(0, limit) : text
}
