'use client'

import { useEffect, useRef, useState } from 'react'

/**
 * The value, changed at most once every `ms`: a change after a pause is shown at once, and of those that come faster the
 * last one of each `ms`. For what is dear to draw beside a cursor that moves.
 */
export function usePaced<T>(value: T, ms: number): T {
  const [shown, setShown] = useState(value)
  const shownAt = useRef(Number.NEGATIVE_INFINITY)
  // The outside system is the clock.
  useEffect(() => {
    const timer = setTimeout(
      () => {
        shownAt.current = performance.now()
        setShown(value)
      },
      Math.max(0, shownAt.current + ms - performance.now()),
    )
    return () => clearTimeout(timer)
  }, [value, ms])
  return shown
}
