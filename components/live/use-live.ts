'use client'

import { useSyncExternalStore } from 'react'
import { type LiveState, readLiveState, SERVER_LIVE_STATE, subscribeToLiveState } from './live-state'

/**
 * The state of the page's live line. Reading again on changes needs no call: name a query `['session', id, …]` or
 * anything else, and the connection re-reads it when it is touched.
 */
export function useLive(): LiveState {
  return useSyncExternalStore(subscribeToLiveState, readLiveState, () => SERVER_LIVE_STATE)
}
