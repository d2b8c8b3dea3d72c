'use client'

import { useEffect } from 'react'
import { writeQuerySoon } from '@/components/ui/write-query'

export type TranscriptSelection = {
  /** The entry to begin at. */
  readonly entry: number | null
  /** What is searched for. */
  readonly find: string
}

/** Keeps the entry and the search of the Transcript tab in the address. */
export function useTranscriptAddress({ entry, find }: TranscriptSelection): void {
  // The outside system is the address bar; the present entry of the history is rewritten, so Back leaves the page.
  useEffect(() => {
    const params = new URLSearchParams()
    if (entry !== null) params.set('entry', String(entry))
    if (find !== '') params.set('find', find)
    const query = params.size === 0 ? '' : `?${params}`
    return writeQuerySoon(query)
  }, [entry, find])
}
