import type { Milliseconds } from '@/lib/core/units/units'
import type { ReadingNotice } from '@/lib/view/shell/reading-notice'

/** What an open page knows about its line to the server. */
type LiveStatus = 'connecting' | 'live' | 'stale' | 'signed-out'

export type LiveState = {
  readonly status: LiveStatus
  /** When the server was last heard from, in milliseconds; null before the first time. */
  readonly heardAt: Milliseconds | null
  /** Revision of the database at that time. */
  readonly revision: number | null
  /** What there is to say about the reading of stores; null before the server has said so. */
  readonly reading: readonly ReadingNotice[] | null
}

let state: LiveState = { status: 'connecting', heardAt: null, revision: null, reading: null }
const listeners = new Set<() => void>()

export const SERVER_LIVE_STATE: LiveState = state

export function readLiveState(): LiveState {
  return state
}

export function writeLiveState(change: Partial<LiveState>): void {
  state = { ...state, ...change }
  for (const notify of listeners) notify()
}

export function subscribeToLiveState(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
