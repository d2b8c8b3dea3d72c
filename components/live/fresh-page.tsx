'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { readLiveState } from './live-state'

/**
 * In a page that the server made whole, without its own query: has it made again when the database has changed
 * between the server's reading, at revision `asOf`, and now. A page may have been made ready before it was asked for.
 */
export function FreshPage({ asOf }: { asOf: number | null }) {
  const router = useRouter()
  // The outside system is the live line, which announced the change before this page was there to hear it.
  useEffect(() => {
    const { revision } = readLiveState()
    if (revision !== null && asOf !== null && revision > asOf) router.refresh()
  }, [router, asOf])
  return null
}
