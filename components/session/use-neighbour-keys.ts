'use client'

import { usePathname, useRouter } from 'next/navigation'
import { useEffect, useEffectEvent } from 'react'
import type { SessionSummary } from '@/lib/view/session-head'
import { keysAreTaken } from './use-row-keys'

/** `[` and `]` go to the newer and the older session of the list, on the same tab. */
export function useNeighbourKeys(summary: SessionSummary): void {
  const router = useRouter()
  const pathname = usePathname()
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (keysAreTaken(event)) return
    const to = event.key === '[' ? summary.newer : event.key === ']' ? summary.older : null
    if (to === null) return
    event.preventDefault()
    router.push(pathname.endsWith('/transcript') ? `/sessions/${to}/transcript` : `/sessions/${to}`)
  })
  // The outside system is the keyboard of the page.
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
