'use client'

import { type ReactNode, useEffect, useState, useTransition } from 'react'
import { useIsReady } from './use-ready'

/**
 * What lies below the first screenful. A page that the server made has it at once; one that is gone to shows what is in
 * sight first, and this with the next frame.
 */
export function Later({ children }: { children: ReactNode }) {
  const ready = useIsReady()
  const [shown, setShown] = useState(!ready)
  const [, begin] = useTransition()
  // The outside system is the screen: what is in sight is painted before this is made.
  useEffect(() => {
    if (shown) return
    const frame = requestAnimationFrame(() => begin(() => setShown(true)))
    return () => cancelAnimationFrame(frame)
  }, [shown])
  return shown ? children : null
}
