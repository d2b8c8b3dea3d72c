'use client'

import { useEffect, useState } from 'react'

/** The value once it has kept still for `ms`: what is expensive follows a moving cursor only where it stops. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  // The outside system is the clock.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
