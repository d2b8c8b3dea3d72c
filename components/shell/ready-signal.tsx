'use client'

import { useEffect } from 'react'
import { followAddress } from '@/components/ui/replace-address'
import { PAGE_READY } from '@/lib/view/shell/early-clicks'

/** Says that the frame of the page works; parts of it may still wait for their scripts. */
export function ReadySignal() {
  // The outside systems are the script that keeps clicks, and the router, which begins to follow the address in the
  // same round of effects, after this one.
  useEffect(() => {
    dispatchEvent(new Event(PAGE_READY))
    const timer = setTimeout(followAddress, 0)
    return () => clearTimeout(timer)
  }, [])
  return null
}
