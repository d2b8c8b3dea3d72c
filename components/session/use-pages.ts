'use client'

import { type QueryKey, type UseQueryOptions, useQueries } from '@tanstack/react-query'
import type { VirtualItem } from '@tanstack/react-virtual'

/**
 * The rows of a long list that are on screen, from pages that are read as they come into view. A row whose page is on
 * its way is undefined.
 */
export function usePages<Page extends { readonly rows: readonly unknown[] }, Key extends QueryKey>({
  items,
  pageRows,
  query,
}: {
  items: readonly VirtualItem[]
  /** Rows of one page. */
  pageRows: number
  query: (page: number) => UseQueryOptions<Page, Error, Page, Key>
}): {
  readonly rowAt: (index: number) => Page['rows'][number] | undefined
  readonly error: Error | null
} {
  const first = Math.floor((items[0]?.index ?? 0) / pageRows)
  const last = Math.floor((items.at(-1)?.index ?? 0) / pageRows)
  const pages = Array.from({ length: items.length === 0 ? 0 : last - first + 1 }, (_, i) => first + i)
  const results = useQueries({ queries: pages.map((page) => query(page)) })
  return {
    rowAt: (index) => results[Math.floor(index / pageRows) - first]?.data?.rows[index % pageRows],
    error: results.find((result) => result.isError)?.error ?? null,
  }
}
