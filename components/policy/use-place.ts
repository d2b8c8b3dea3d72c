'use client'

import { useEffect, useState } from 'react'
import { writeQuerySoon } from '@/components/ui/write-query'
import { type PolicyPageState, policyPlaceQuery } from '@/lib/view/policy/policy-place'

/** What is chosen on the policy screen: changed at once on screen, and a moment later in the address. */
export function usePlace(
  initial: PolicyPageState,
): readonly [PolicyPageState, (change: Partial<PolicyPageState>) => void] {
  const [place, setPlace] = useState(initial)
  // The outside system is the address bar.
  useEffect(() => {
    const query = policyPlaceQuery(place)
    return writeQuerySoon(query)
  }, [place])
  return [place, (change) => setPlace((before) => ({ ...before, ...change }))]
}
