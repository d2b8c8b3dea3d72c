/** A compaction or reset between the two calls around it. Sizes in tokens. */
export type BoundaryEvent = {
  /** Milliseconds since the epoch. */
  readonly at: number | null
  readonly kind: string
  /** Number of the last call before it. */
  readonly afterCall: number
  /** Sizes as the runtime recorded them; null when it did not. */
  readonly tokensBefore: number | null
  readonly tokensAfter: number | null
  /** Prompt sizes of the calls before and after it; null when there is no such call, or its size is unknown. */
  readonly promptBefore: number | null
  readonly promptAfter: number | null
}
