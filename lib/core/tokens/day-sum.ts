import type { Tokens, Usd } from '../units/units'
/** Sums over all sessions for one UTC day and model. Tokens as providers reported them, US dollars. */
export type DaySum = {
  /** YYYY-MM-DD, UTC. */
  readonly day: string
  readonly model: string
  readonly calls: number
  readonly inputTokens: Tokens
  readonly outputTokens: Tokens
  readonly cacheReadTokens: Tokens
  readonly cacheWriteTokens: Tokens
  /** null when no call of these had a known cost. */
  readonly costUsd: Usd | null
  readonly costUnknownCalls: number
  /** What has no recorded cost, at the operator's or list prices; null: nothing of it has a price. */
  readonly listUsd: Usd | null
  /** Requests of unknown cost that have no price either. */
  readonly unpriced: number
  /** Tokens sent, in the order of CATEGORIES. */
  readonly categories: readonly number[]
}
