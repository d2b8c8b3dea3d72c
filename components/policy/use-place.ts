'use client'

import { useEffect, useState } from 'react'
import { type PolicyPlace, policyPlaceQuery } from '@/lib/view/policy-place'

/** Browsers refuse more than about a hundred changes of the address in half a minute. */
const WRITE_MS = 250

/** What is chosen on the policy screen: changed at once on screen, and a moment later in the address. */
export function usePlace(
  initial: PolicyPlace,
): readonly [PolicyPlace, (change: Partial<PolicyPlace>) => void] {
  const [place, setPlace] = useState(initial)
  // The outside system is the address bar.
  useEffect(() => {
    const query = policyPlaceQuery(place)
    if (query === window.location.search) return
    const timer = setTimeout(() => {
      window.history.replaceState(null, '', `${window.location.pathname}${query}`)
    }, WRITE_MS)
    return () => clearTimeout(timer)
  }, [place])
  return [place, (change) => setPlace((before) => ({ ...before, ...change }))]
}
