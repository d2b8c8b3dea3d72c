'use client'

import { useEffect } from 'react'
import { PAGE_READY } from '@/lib/view/shell/early-clicks'

/** Says that the frame of the page works; parts of it may still wait for their scripts. */
export function ReadySignal() {
  // The outside system is the script that keeps clicks.
  useEffect(() => {
    dispatchEvent(new Event(PAGE_READY))
  }, [])
  return null
}
