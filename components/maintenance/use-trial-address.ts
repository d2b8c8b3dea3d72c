'use client'

import { useEffect, useState } from 'react'
import { writeQuerySoon } from '@/components/ui/write-query'
import { type MaintenanceTrial, trialSearch } from '@/lib/view/maintenance/maintenance-trial'

/** What is tried, and the job that was begun from it. */
export type TrialAddress = { readonly trial: MaintenanceTrial; readonly job: string | null }

/** Changed at once on screen, and a moment later in the address. */
export function useTrialAddress(
  initial: TrialAddress,
): readonly [TrialAddress, (change: Partial<TrialAddress>) => void] {
  const [address, setAddress] = useState(initial)
  // The outside system is the address bar.
  useEffect(() => {
    const { trial, job } = address
    const search = trialSearch(trial)
    const query = job === null ? search : `${search === '' ? '?' : `${search}&`}job=${job}`
    return writeQuerySoon(query)
  }, [address])
  return [address, (change) => setAddress((before) => ({ ...before, ...change }))]
}
