import type { BelievedWindow, WindowSource } from '../budget/window'
import type { Bytes, Milliseconds, Tokens, Usd } from '../units/units'
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
  readonly bytes: Bytes
  /** Bytes after the last line that was taken; null when unknown, or for rows of a database. */
  readonly unfinished: number | null
  readonly provider: string | null
  readonly model: string | null
  readonly window: Tokens | null
  readonly windowSource: WindowSource | null
  /** The window that its runtime reckons with, and where that is from; null: the same. */
  readonly believedWindow: Tokens | null
  readonly believedSource: BelievedWindow['source'] | null
  readonly contextTokens: Tokens | null
  readonly contextBasis: string
  readonly contextErrorPct: number | null
  readonly costUsd: Usd | null
  readonly costUnknownCalls: number
  /** What has no recorded cost, at the operator's or list prices; null: nothing of it has a price. */
  readonly listUsd: Usd | null
  /** Requests of unknown cost that have no price either. */
  readonly unpriced: number
  readonly indexJson: string | null
  readonly startedAt: Milliseconds | null
  readonly updatedAt: Milliseconds | null
  readonly revision: number
}
