'use client'

import { usePathname, useRouter } from 'next/navigation'
import { useKeys } from '@/components/ui/use-keys'
import type { SessionSummary } from '@/lib/view/session/session-head'

/** `[` and `]` go to the newer and the older session of the list, on the same tab. */
export function useNeighbourKeys({ newer, older }: SessionSummary): void {
  const router = useRouter()
  const tab = usePathname().endsWith('/transcript') ? '/transcript' : ''
  const go = (id: string | null) => {
    if (id !== null) router.push(`/sessions/${id}${tab}`)
  }
  useKeys({ '[': () => go(newer), ']': () => go(older) })
}
