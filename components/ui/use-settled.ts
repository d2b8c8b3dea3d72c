'use client'

import { useEffect, useRef, useState } from 'react'

/**
 * The value once it has kept still for `ms`: what is expensive follows a moving cursor only where it stops.
 * @param rest a change after a pause of so long is no part of a movement and is taken at once, in milliseconds
 */
export function useSettled<T>(value: T, ms: number, rest = Number.POSITIVE_INFINITY): T {
  const [settled, setSettled] = useState(value)
  const changedAt = useRef(Number.NEGATIVE_INFINITY)
  // The outside system is the clock.
  useEffect(() => {
    const now = performance.now()
    const pause = now - changedAt.current
    changedAt.current = now
    const timer = setTimeout(() => setSettled(value), pause >= rest ? 0 : ms)
    return () => clearTimeout(timer)
  }, [value, ms, rest])
  return settled
}
