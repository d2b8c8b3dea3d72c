import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from '@/components/live/read-json'
import type { ReplayChoice } from '@/lib/core/replay/experiment-spec'
import type { LabView, RegretEvidence, RegretItem } from '@/lib/view/lab/lab-page'
import type { PickOffer } from '@/lib/view/lab/pick-offer'
import type { TuneView } from '@/lib/view/lab/tune-view'

/** @param search the page's own, '' or `?…` */
export function labQuery(search: string) {
  return queryOptions({
    queryKey: ['lab', 'page', search] as const,
    queryFn: ({ signal }) => fetchJson<LabView>(`/api/lab${search}`, signal),
  })
}

/** How many sessions a choice takes. */
export function chosenQuery({ stores, agents, ids, since }: ReplayChoice) {
  const search = new URLSearchParams()
  for (const store of stores) search.append('store', store)
  for (const agent of agents) search.append('agent', agent)
  for (const id of ids) search.append('session', id)
  if (since !== null) search.set('since', String(since))
  return queryOptions({
    queryKey: ['lab', 'chosen', search.toString()] as const,
    queryFn: ({ signal }) => fetchJson<{ readonly sessions: number }>(`/api/lab/sessions?${search}`, signal),
  })
}

/** For which stores the picks of a tuning can be set. Settings files are read for it, so the page does not wait for it. */
export function pickOffersQuery({ picks, stores }: Pick<TuneView, 'picks' | 'stores'>) {
  const search = new URLSearchParams()
  for (const { remedy } of picks) if (remedy !== null) search.append('remedy', remedy)
  for (const { session } of stores) search.append('session', session)
  return queryOptions({
    queryKey: ['lab', 'picks', search.toString()] as const,
    queryFn: ({ signal }) => fetchJson<readonly PickOffer[]>(`/api/lab/picks?${search}`, signal),
    enabled: search.has('remedy') && search.has('session'),
  })
}

/** The texts of a drop and of what was needed of it. */
export function evidenceQuery({ transcript, text, drop, need }: RegretItem) {
  const search = new URLSearchParams({
    transcript,
    text,
    entry: String(drop.seq),
    from: String(drop.from),
    to: String(drop.to),
    call: String(need.seq),
  })
  return queryOptions({
    queryKey: ['lab', 'evidence', search.toString()] as const,
    queryFn: ({ signal }) => fetchJson<RegretEvidence>(`/api/lab/evidence?${search}`, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
