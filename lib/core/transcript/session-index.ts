import type { Milliseconds, Tokens } from '../units/units'
/**
 * What the runtime itself says about a session: an entry of OpenClaw's `sessions.json`, or `entry_json` of its SQLite
 * store. Only the fields that we use; all optional, since every release writes others.
 */
export type IndexEntry = {
  readonly sessionId?: string
  readonly updatedAt?: Milliseconds
  /** When it was put aside, in milliseconds; absent: it was not. */
  readonly archivedAt?: number
  readonly sessionFile?: string
  readonly label?: string
  readonly displayName?: string
  readonly chatType?: string
  readonly channel?: string
  readonly status?: string
  /** Key of the session whose sub-agent it is. */
  readonly spawnedBy?: string
  /** Which harness runs it, where the runtime says so. */
  readonly harness?: string
  /** Ids under which other harnesses keep it, by harness. */
  readonly harnessSessions?: { readonly [harness: string]: string }
  readonly provider?: string
  readonly model?: string
  /** The window in tokens. The runtime calls it `contextTokens`; it is not usage. */
  readonly contextWindow?: number
  /** Prompt size of the last call in tokens, and whether the runtime still trusts it. */
  readonly totalTokens?: Tokens
  readonly totalTokensFresh?: boolean
  readonly compactionCount?: number
  readonly report?: SystemPromptReport
  readonly budget?: ContextBudgetStatus
  /** What the runtime noted of compactions, the newest ones; releases of 2026.4 to 2026.7 do. */
  readonly recorded?: readonly RecordedCompaction[]
}

/** Why a compaction was made, as the runtime noted it (`compactionCheckpoints`). */
export type RecordedCompaction = {
  /** Id of the compaction's entry. */
  readonly entryId: string
  readonly reason: 'manual' | 'auto-threshold' | 'overflow-retry' | 'timeout-retry'
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
  readonly updatedAt?: Milliseconds
  readonly route?: string
  readonly estimatedPromptTokens?: Tokens
  readonly contextTokenBudget?: number
  readonly reserveTokens?: Tokens
  readonly effectiveReserveTokens?: Tokens
  readonly remainingPromptBudgetTokens?: Tokens
  readonly overflowTokens?: Tokens
}
