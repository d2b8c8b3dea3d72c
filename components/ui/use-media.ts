'use client'

import { useSyncExternalStore } from 'react'

/** Whether a media query holds. The server, and the first paint, assume `onServer`. */
export function useMedia(query: string, onServer: boolean): boolean {
  return useSyncExternalStore(
    (notify) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', notify)
      return () => list.removeEventListener('change', notify)
    },
    () => window.matchMedia(query).matches,
    () => onServer,
  )
}
