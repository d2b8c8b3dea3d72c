import type { EntryFact } from '../core/transcript/entry'

/**
 * How much text of one entry goes into the search index, in UTF-16 units (the readers hand out 2,048 at most). What
 * people and models say counts in full. Tool results are the bulk of every transcript, and what is looked for in
 * them (names, paths) mostly stands at their head; of those that failed more is taken.
 */
export const SEARCH_CHARS = 2048
export const SEARCH_CHARS_FAILED_RESULT = 1024
export const SEARCH_CHARS_RESULT = 384

/** The part of an entry's text that goes into the search index. */
export function boundSearchText(
  { role, isError }: Pick<EntryFact, 'role' | 'isError'>,
  text: string,
): string {
  const limit = role === 'toolResult' || role === 'bashExecution' ? resultLimit(isError) : SEARCH_CHARS
  return text.length > limit ? text.slice(0, limit) : text
}

function resultLimit(isError: true | undefined): number {
  return isError ? SEARCH_CHARS_FAILED_RESULT : SEARCH_CHARS_RESULT
}
