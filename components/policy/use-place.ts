'use client'

import { useEffect, useState } from 'react'
import { writeQuerySoon } from '@/components/ui/write-query'
import { type PolicyPlace, policyPlaceQuery } from '@/lib/view/policy-place'

/** What is chosen on the policy screen: changed at once on screen, and a moment later in the address. */
export function usePlace(
  initial: PolicyPlace,
): readonly [PolicyPlace, (change: Partial<PolicyPlace>) => void] {
  const [place, setPlace] = useState(initial)
  // The outside system is the address bar.
  useEffect(() => {
    const query = policyPlaceQuery(place)
    return writeQuerySoon(query)
  }, [place])
  return [place, (change) => setPlace((before) => ({ ...before, ...change }))]
}
