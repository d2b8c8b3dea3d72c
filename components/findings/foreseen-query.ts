import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from '@/components/live/read-json'
import type { PickName } from '@/lib/core/replay/tune/tune-state'
import type { ForeseenAnswer } from '@/lib/view/findings/remedy-answers'

/** What a change that is shown would have meant, by replay. @param asked.seen of the change: another one is replayed anew */
export function foreseenQuery(asked: {
  readonly subject: string
  readonly finding: string
  readonly pick: PickName | null
  readonly seen: string
}) {
  const { subject, finding, pick, seen } = asked
  const address = new URLSearchParams({ session: subject, finding, ...(pick !== null && { pick }) })
  return queryOptions({
    queryKey: ['foreseen', subject, finding, pick, seen] as const,
    queryFn: ({ signal }) => fetchJson<ForeseenAnswer>(`/api/findings/foreseen?${address}`, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}
