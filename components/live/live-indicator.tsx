'use client'

import { useSyncExternalStore } from 'react'
import { classes } from '@/components/ui/classes'
import { Moment } from '@/components/ui/time'
import { readLiveState, SERVER_LIVE_STATE, subscribeToLiveState } from './live-state'

const WORDS = { connecting: 'connecting', live: 'live', stale: 'stale', 'signed-out': 'signed out' } as const

/** Whether the page follows the database, and how old the last word from the server is. */
export function LiveIndicator() {
  const live = useSyncExternalStore(subscribeToLiveState, readLiveState, () => SERVER_LIVE_STATE)
  return (
    <span
      className="inline-flex items-center gap-1.5 text-label whitespace-nowrap text-muted"
      title={
        live.status === 'stale' ? 'No word from the server; figures may be old. Trying again.' : undefined
      }
    >
      <span
        aria-hidden="true"
        className={classes(
          'inline-block size-2 rounded-full',
          live.status === 'live' && 'bg-ok',
          live.status === 'stale' && 'bg-attention',
          live.status === 'signed-out' && 'bg-danger',
          live.status === 'connecting' && 'border border-line-strong',
        )}
      />
      <span className={live.status === 'stale' ? 'text-attention' : undefined}>{WORDS[live.status]}</span>
      {live.heardAt !== null && <Moment at={live.heardAt} className="tnum hidden min-w-14 sm:inline" />}
    </span>
  )
}
