import { DEFAULT_RESERVE_TOKENS, MAX_RESERVE_SHARE } from '../../core/budget/load-lines'
import { Prisma } from '../generated/client'

/**
 * Tokens in the window ÷ effective budget of `"Session" s`, as `effectiveBudget` of the core computes it; NULL when
 * either is unknown.
 */
export const FILL_SHARE = Prisma.sql`(CASE WHEN s."window" > 0 THEN
  s."contextTokens" * 1.0 / (s."window" - CASE
    WHEN s."window" * ${MAX_RESERVE_SHARE} < ${DEFAULT_RESERVE_TOKENS} THEN FLOOR(s."window" * ${MAX_RESERVE_SHARE})
    ELSE ${DEFAULT_RESERVE_TOKENS} END)
  END)`
