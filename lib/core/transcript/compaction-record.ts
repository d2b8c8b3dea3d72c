/** A compaction or reset of one session, or a provider's compaction on its own side, and after which call. Times in milliseconds. */
export type CompactionRecord = {
  readonly seq: number
  readonly at: number | null
  readonly kind: 'compaction' | 'reset' | 'provider'
  /** Number of the last call before it; 0 when there is none. */
  readonly afterCall: number
  /** Tokens as the runtime recorded them; null when it did not. */
  readonly tokensBefore: number | null
  readonly tokensAfter: number | null
  readonly fromHook: boolean
  readonly preview: string | null
}
