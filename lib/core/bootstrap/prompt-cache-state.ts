/** By what a change was noticed. */
export type InvalidatedBy = 'watcher' | 'poll' | 'stamp' | 'day' | 'folder' | 'watch lost' | 'request'

/** What a screen shows of a cache. Plain data; times in milliseconds since the epoch. */
export type PromptCacheState = {
  readonly folder: string
  /**
   * How changes are noticed: by the watcher (and the poll behind it), by the poll alone, or not at all, so that every
   * request reads anew. `idle`: not asked for yet.
   */
  readonly mode: 'off' | 'idle' | 'watched' | 'polled' | 'uncached'
  readonly cached: boolean
  /** What was cached is out of date, and it was not asked for since. */
  readonly stale: boolean
  readonly hits: number
  readonly misses: number
  readonly invalidations: number
  readonly polls: number
  readonly last: { readonly at: number; readonly by: InvalidatedBy; readonly what: string } | null
  readonly loadedAt: number | null
  readonly watchProblem: string | null
  readonly pollSeconds: number
  /** Files of the last reading; `chars` is null for missing and unreadable ones. */
  readonly files: readonly { readonly name: string; readonly chars: number | null }[]
}
