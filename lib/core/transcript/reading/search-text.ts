import type { EntryFact } from '../entry'

/**
 * How much text of one entry goes into the search index, in UTF-16 units. What people and models say counts in full.
 * Tool results are the bulk of every transcript, and what is searched for in them (names, paths) mostly is at their
 * head; of those that failed more is taken.
 */
export const SEARCH_CHARS = 2048
const SEARCH_CHARS_FAILED_RESULT = 1024
const SEARCH_CHARS_RESULT = 384

/** How much of the text of an entry like this can be searched. */
export function searchChars(role: EntryFact['role'], isError: boolean): number {
  if (role !== 'toolResult' && role !== 'bashExecution') return SEARCH_CHARS
  return isError ? SEARCH_CHARS_FAILED_RESULT : SEARCH_CHARS_RESULT
}
