/**
 * What the runtime itself says about a session: an entry of OpenClaw's `sessions.json`, or `entry_json` of its SQLite
 * store. Only the fields that we use; all optional, since every release writes others.
 */
export type IndexEntry = {
  readonly sessionId?: string
  readonly updatedAt?: number
  /** When it was put aside, in milliseconds; absent: it was not. */
  readonly archivedAt?: number
  readonly sessionFile?: string
  readonly label?: string
  readonly displayName?: string
  readonly chatType?: string
  readonly channel?: string
  readonly status?: string
  readonly provider?: string
  readonly model?: string
  /** The window in tokens. The runtime calls it `contextTokens`; it is not usage. */
  readonly contextWindow?: number
  /** Prompt size of the last call in tokens, and whether the runtime still trusts it. */
  readonly totalTokens?: number
  readonly totalTokensFresh?: boolean
  readonly compactionCount?: number
  readonly report?: SystemPromptReport
  readonly budget?: ContextBudgetStatus
}

/** `systemPromptReport`: sizes of the fixed part in characters (UTF-16 units). */
export type SystemPromptReport = {
  readonly generatedAt?: number
  readonly systemPromptChars: number
  /** Chars of the workspace files inside the system prompt. */
  readonly projectContextChars: number
  readonly skillsChars: number
  readonly toolListChars: number
  readonly toolSchemaChars: number
  readonly files: readonly {
    readonly name: string
    readonly path?: string
    readonly missing: boolean
    readonly rawChars: number
    /** null when the runtime could not tell. */
    readonly injectedChars: number | null
    readonly truncated: boolean | null
  }[]
  readonly skills: readonly { readonly name: string; readonly chars: number }[]
  readonly tools: readonly {
    readonly name: string
    readonly schemaChars: number
    readonly summaryChars: number
  }[]
}

/** `contextBudgetStatus`: the runtime's own estimate before the last prompt. Tokens. */
export type ContextBudgetStatus = {
  readonly updatedAt?: number
  readonly route?: string
  readonly estimatedPromptTokens?: number
  readonly contextTokenBudget?: number
  readonly reserveTokens?: number
  readonly effectiveReserveTokens?: number
  readonly remainingPromptBudgetTokens?: number
  readonly overflowTokens?: number
}
