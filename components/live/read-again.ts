import type { Query, QueryClient } from '@tanstack/react-query'

/**
 * Reads again what changed. A query whose first answer is still on its way is read once more when that is there: it may
 * have been read before the change, and the library takes it for the newest there is.
 */
export function readAgain(client: QueryClient, isTouched: (query: Query) => boolean): void {
  const first = client
    .getQueryCache()
    .findAll({ predicate: isTouched })
    .filter(({ state }) => state.data === undefined && state.fetchStatus === 'fetching')
  void client.invalidateQueries({ predicate: isTouched })
  for (const { promise, queryKey } of first) {
    const again = () => client.invalidateQueries({ queryKey, exact: true })
    // One that failed is read again as well: what it failed for may be over.
    void promise?.then(again, again)
  }
}
