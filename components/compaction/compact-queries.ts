import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fetchJson } from '@/components/live/read-json'
import type { ChunkAction } from '@/lib/core/compaction/plan'
import type { ChunkPage, DigestPreview, PlanView } from '@/lib/view/compaction/compact-plan'
import type { CompactionStatus } from '@/lib/view/compaction/compaction-status'
import type { LaterNeedsView } from '@/lib/view/compaction/later-needs'
import type { LossesView } from '@/lib/view/compaction/losses'
import type { ComparisonView } from '@/lib/view/compaction/plan-comparison'
import { type PlanKnobs, planKey, planKnobsSearch } from '@/lib/view/compaction/plan-knobs'

/** Every key begins with `['session', id]`: the live line re-reads them when that session changes. */
export function planQuery(id: string, knobs: PlanKnobs) {
  const search = planKey(knobs)
  return queryOptions({
    queryKey: ['session', id, 'plan', search] as const,
    queryFn: ({ signal }) => fetchJson<PlanView>(`/api/sessions/${id}/plan${search}`, signal),
    placeholderData: keepPreviousData,
  })
}

/** What each policy would make of the session at that call. */
export function compareQuery(id: string, knobs: PlanKnobs) {
  const search = planKey(knobs)
  return queryOptions({
    queryKey: ['session', id, 'compare', search] as const,
    queryFn: ({ signal }) => fetchJson<ComparisonView>(`/api/sessions/${id}/plan/compare${search}`, signal),
    placeholderData: keepPreviousData,
  })
}

/** One page of the chunks of a plan. */
export function chunksQuery(id: string, knobs: PlanKnobs, action: ChunkAction | null, page: number) {
  const search = new URLSearchParams(planKey(knobs))
  if (action !== null) search.set('action', action)
  search.set('page', String(page + 1))
  return queryOptions({
    queryKey: ['session', id, 'chunks', String(search)] as const,
    queryFn: ({ signal }) => fetchJson<ChunkPage>(`/api/sessions/${id}/plan/chunks?${search}`, signal),
    placeholderData: keepPreviousData,
  })
}

/** The digest that the plan would leave, with the words that it is to pay attention to. */
export function digestQuery(id: string, knobs: PlanKnobs) {
  const search = planKnobsSearch(knobs)
  return queryOptions({
    queryKey: ['session', id, 'digest', search] as const,
    queryFn: ({ signal }) => fetchJson<DigestPreview>(`/api/sessions/${id}/plan/digest${search}`, signal),
  })
}

/** What would be lost by name beside that digest; made after it, since it asks what the digest holds. */
export function lossesQuery(id: string, knobs: PlanKnobs) {
  const search = planKnobsSearch(knobs)
  return queryOptions({
    queryKey: ['session', id, 'losses', search] as const,
    queryFn: ({ signal }) => fetchJson<LossesView>(`/api/sessions/${id}/plan/losses${search}`, signal),
  })
}

/** What the plan at a past call would have lost of what was needed later. */
export function laterNeedsQuery(id: string, knobs: PlanKnobs) {
  const search = planKnobsSearch(knobs)
  return queryOptions({
    queryKey: ['session', id, 'later-needs', search] as const,
    queryFn: ({ signal }) => fetchJson<LaterNeedsView>(`/api/sessions/${id}/plan/needs${search}`, signal),
  })
}

/** Who works with the session. No event reports a change, so it is asked for again and again. */
export function statusQuery(id: string) {
  return queryOptions({
    queryKey: ['session', id, 'status'] as const,
    queryFn: ({ signal }) => fetchJson<CompactionStatus>(`/api/sessions/${id}/plan/standing`, signal),
    refetchInterval: 5_000,
  })
}
