/** What is stored about a session, as far as its pages show it. Times in milliseconds. */
export type SessionFacts = {
  readonly id: string
  readonly store: {
    readonly kind: string
    readonly era: string
    readonly label: string
    readonly state: string
    readonly problem: string | null
  }
  readonly sessionId: string
  readonly key: string | null
  readonly agent: string | null
  readonly channel: string | null
  readonly name: string | null
  readonly path: string
  readonly state: string
  readonly problem: string | null
  readonly cwd: string | null
  /** Format version as the header says; 0: there was no header. */
  readonly version: number
  readonly entries: number
  readonly unreadable: number
  readonly unknownTypes: number
  readonly calls: number
  readonly turns: number
  readonly compactions: number
  readonly bytes: number
  /** Bytes after the last line that was taken; null when nobody knows, or for rows of a database. */
  readonly unfinished: number | null
  readonly provider: string | null
  readonly model: string | null
  readonly window: number | null
  readonly windowSource: string | null
  readonly contextTokens: number | null
  readonly contextBasis: string
  readonly contextErrorPct: number | null
  readonly costUsd: number | null
  readonly costUnknownCalls: number
  readonly indexJson: string | null
  readonly startedAt: number | null
  readonly updatedAt: number | null
  readonly revision: number
}
