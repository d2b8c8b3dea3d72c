import { useEffect, useState } from 'react'

/** A knob that did not move for so long is at rest. Milliseconds. */
const REST = 300

/** The value once it has come to rest: what is slow to make is not made for every place that a knob passes. */
export function useQuiet<T>(value: T): T {
  const [quiet, setQuiet] = useState(value)
  // The outside system is the clock.
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(value), REST)
    return () => clearTimeout(timer)
  }, [value])
  return quiet
}
