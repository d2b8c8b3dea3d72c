/** What OpenClaw's settings say of the provider's own compaction. Thresholds in tokens. */
export type ProviderParams = {
  readonly responsesServerCompaction?: boolean
  readonly responsesCompactThreshold?: number
  readonly anthropicServerCompaction?: boolean
  readonly anthropicCompactThreshold?: number
}

/** The same for one model (`provider/id`) or agent only; null: for all. */
export type ScopedParams = {
  readonly model: string | null
  readonly agent: string | null
  readonly params: ProviderParams
}
