'use client'

import { useEffect, useState } from 'react'
import { type PlanKnobs, planKnobsSearch } from '@/lib/view/plan-knobs'

/** The knobs, and the job that was begun from here. */
export type CompactAddress = { readonly knobs: PlanKnobs; readonly job: string | null }

/** Browsers refuse more than about a hundred changes of the address in half a minute. */
const WRITE_MS = 250

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
    if (query === window.location.search) return
    const timer = setTimeout(() => {
      window.history.replaceState(null, '', `${window.location.pathname}${query}`)
    }, WRITE_MS)
    return () => clearTimeout(timer)
  }, [address])
  return [address, (change) => setAddress((before) => ({ ...before, ...change }))]
}
