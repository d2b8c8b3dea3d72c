'use client'

import { useSyncExternalStore } from 'react'

/**
 * Minutes that the reader's clock is ahead of UTC: 0 on the server and in the first render, so that both print the same.
 */
export function useOffsetMinutes(): number {
  return useSyncExternalStore(
    () => () => undefined,
    () => -new Date().getTimezoneOffset(),
    () => 0,
  )
}
