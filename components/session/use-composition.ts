'use client'

import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useSettled } from '@/components/ui/use-settled'
import type { CallColumns } from '@/lib/view/session/call-columns'
import { type Composition, compositionOf } from '@/lib/view/session/composition'
import { pageOfCall } from '@/lib/view/session/scrub'
import { callPageQuery } from './session-queries'

const REST_MS = 150

/**
 * The composition of the chosen call. Calls are read in pages of 200 with the pages beside it, so that a step of the
 * scrubber finds its call here already.
 */
export function useComposition(
  id: string,
  call: number,
  calls: number,
  initial: { readonly page: number; readonly calls: CallColumns },
): { readonly composition: Composition | null; readonly stale: boolean; readonly error: Error | null } {
  const page = pageOfCall(call)
  const own = useQuery({
    ...callPageQuery(id, page),
    placeholderData: keepPreviousData,
    ...(initial.page === page ? { initialData: initial.calls } : {}),
  })
  // Neighbours are fetched where the cursor rests; while it is dragged they would only be in the way.
  const rest = useSettled(page, REST_MS)
  const last = pageOfCall(calls)
  useQueries({
    queries: [rest - 1, rest + 1].filter((p) => p >= 0 && p <= last).map((p) => callPageQuery(id, p)),
  })
  const columns = own.data
  const exact = columns ? compositionOf(columns, call) : null
  if (exact) return { composition: exact, stale: false, error: own.error }
  // Until the page is there, what is known stays on screen, marked as such.
  const nearest = columns ? compositionOf(columns, columns.from + columns.seq.length - 1) : null
  return { composition: nearest, stale: true, error: own.error }
}
