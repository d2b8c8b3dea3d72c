/** What OpenClaw's gateway said about a compaction. */
export type GatewayReply =
  | {
      readonly kind: 'answered'
      readonly compacted: boolean
      /** Its own word for why it did nothing; null when it said none. */
      readonly reason: string | null
    }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'stopped' }

/** OpenClaw's gateway, which alone may change its databases. */
export interface Gateway {
  compact(request: {
    readonly key: string
    readonly agent: string | null
    readonly signal?: AbortSignal
  }): Promise<GatewayReply>
}
