'use client'

import { useEffect } from 'react'

export type TranscriptSelection = {
  /** The entry to begin at. */
  readonly entry: number | null
  /** What is searched for. */
  readonly find: string
}

const WRITE_MS = 250

/** Keeps the entry and the search of the Transcript tab in the address. */
export function useTranscriptAddress({ entry, find }: TranscriptSelection): void {
  // The outside system is the address bar; the present entry of the history is rewritten, so Back leaves the page.
  useEffect(() => {
    const params = new URLSearchParams()
    if (entry !== null) params.set('entry', String(entry))
    if (find !== '') params.set('find', find)
    const query = params.size === 0 ? '' : `?${params}`
    if (query === window.location.search) return
    const timer = setTimeout(() => {
      window.history.replaceState(null, '', `${window.location.pathname}${query}`)
    }, WRITE_MS)
    return () => clearTimeout(timer)
  }, [entry, find])
}
