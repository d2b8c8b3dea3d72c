'use client'

import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readLiveState } from './live-state'

/**
 * For data that came with a page: reads a query again when the database changed between the server's reading, at
 * revision `asOf`, and now. What changes later is seen by the live line.
 */
export function useAsOf(queryKey: QueryKey, asOf: number | null): void {
  const client = useQueryClient()
  const name = JSON.stringify(queryKey)
  // The outside system is the live line, which announced the change before this page was there to hear it.
  useEffect(() => {
    const { revision } = readLiveState()
    if (revision !== null && asOf !== null && revision > asOf) {
      void client.invalidateQueries({ queryKey: JSON.parse(name) as QueryKey })
    }
  }, [client, name, asOf])
}
