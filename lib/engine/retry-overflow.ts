import { isOverflowError } from '../core/compaction/overflow-error'

/** How often a request is made again after a compaction (GoClaw: 2; D2). */
export const OVERFLOW_RETRIES = 2

/**
 * Makes a request, and when the provider says that it is too long, compacts and makes it again (D1, D2). Any other
 * failure comes through, and so does the last overflow.
 * @param compact answers whether anything was compacted; if not, there is no point in asking again
 */
export async function retryAfterOverflow<T>(
  send: () => Promise<T>,
  compact: () => Promise<boolean>,
  retries = OVERFLOW_RETRIES,
): Promise<{ readonly value: T; readonly compactions: number }> {
  for (let compactions = 0; ; compactions++) {
    try {
      return { value: await send(), compactions }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (!isOverflowError(message) || compactions >= retries || !(await compact())) throw error
    }
  }
}
