'use client'

import { useEffect, useState } from 'react'
import { type MaintenanceTrial, trialSearch } from '@/lib/view/maintenance-trial'

/** What is tried, and the job that was begun from it. */
export type TrialAddress = { readonly trial: MaintenanceTrial; readonly job: string | null }

/** Browsers refuse more than about a hundred changes of the address in half a minute. */
const WRITE_MS = 250

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
    if (query === window.location.search) return
    const timer = setTimeout(() => {
      window.history.replaceState(null, '', `${window.location.pathname}${query}`)
    }, WRITE_MS)
    return () => clearTimeout(timer)
  }, [address])
  return [address, (change) => setAddress((before) => ({ ...before, ...change }))]
}
