'use client'

import { useEffect, useState } from 'react'
import { writeQuerySoon } from '@/components/ui/write-query'
import { type PlanKnobs, planKnobsSearch } from '@/lib/view/compaction/plan-knobs'

/** The knobs, and the job that was begun from here. */
export type CompactAddress = { readonly knobs: PlanKnobs; readonly job: string | null }

/** Changed at once on screen, and a moment later in the address. */
export function useKnobsAddress(
  initial: CompactAddress,
): readonly [CompactAddress, (change: Partial<CompactAddress>) => void] {
  const [address, setAddress] = useState(initial)
  // The outside system is the address bar.
  useEffect(() => {
    const search = new URLSearchParams(planKnobsSearch(address.knobs))
    if (address.job !== null) search.set('job', address.job)
    const query = search.size === 0 ? '' : `?${search}`
    return writeQuerySoon(query)
  }, [address])
  return [address, (change) => setAddress((before) => ({ ...before, ...change }))]
}
