/** A compaction or reset of one session. Tokens as recorded, null when they were not; times in milliseconds. */
export type CompactionRecord = {
  readonly seq: number
  readonly at: number | null
  readonly kind: 'compaction' | 'reset'
  readonly afterCall: number
  readonly tokensBefore: number | null
  readonly tokensAfter: number | null
  readonly fromHook: boolean
  readonly preview: string | null
}
