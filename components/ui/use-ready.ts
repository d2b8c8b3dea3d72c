'use client'

import { useSyncExternalStore } from 'react'

const NEVER = () => () => undefined

/** Whether the page answers already: false on the server and until the browser has taken the page over. */
export function useIsReady(): boolean {
  return useSyncExternalStore(
    NEVER,
    () => true,
    () => false,
  )
}
