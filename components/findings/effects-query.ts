import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from '@/components/live/read-json'
import type { EffectItem } from '@/lib/view/findings/applied-remedies'

/** New calls are counted so often; the server rests between, by what it takes. Milliseconds. */
const AGAIN_MS = 5_000

/** Whether applied settings helped: calls of two weeks are read for it, so the page does not wait for it. */
export const EFFECTS_QUERY = queryOptions({
  queryKey: ['audit', 'remedy-effects'] as const,
  queryFn: ({ signal }) => fetchJson<readonly EffectItem[]>('/api/findings/effects', signal),
  refetchInterval: AGAIN_MS,
})
