import type { Milliseconds, Tokens, Usd } from '../units/units'

/** One session of a tree: what it was billed, and the largest prompt that was reported. Tokens; US dollars. */
export type AgentFigures = {
  readonly id: string
  /** 0: the session itself. */
  readonly depth: number
  readonly agent: string | null
  readonly model: string | null
  readonly calls: number
  readonly input: Tokens
  readonly output: Tokens
  readonly cacheRead: Tokens
  readonly cacheWrite: Tokens
  /** As recorded; null: nothing was. */
  readonly costUsd: Usd | null
  /** At the operator's or list prices, of what was not recorded. */
  readonly listUsd: Usd | null
  /** Requests of unknown cost that have no price either. */
  readonly unpriced: number
  readonly largest: Tokens | null
  /** Requests within its file that are no calls of it, their tokens and what they come to. */
  readonly besides: number
  readonly besidesTokens: Tokens
  readonly besidesUsd: Usd | null
  readonly updatedAt: Milliseconds | null
}
