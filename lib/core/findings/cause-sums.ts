import type { Milliseconds, Tokens, Usd } from '../units/units'
import type { Severity } from './finding'

/** Findings of one cause over sessions. Sums are of what is known. */
export type CauseSums = {
  readonly kind: string
  readonly cause: string
  readonly severity: Severity
  readonly sessions: number
  readonly usd: Usd | null
  readonly tokens: Tokens | null
  /** Findings of it whose price, or whose tokens, are unknown. */
  readonly withoutUsd: number
  readonly withoutTokens: number
  readonly lastSeen: Milliseconds | null
}
