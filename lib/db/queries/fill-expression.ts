import { MAX_RESERVE_SHARE, reserveOf } from '../../core/budget/load-lines'
import { Prisma } from '../generated/client'

/** The reserve of every window that is not too small for it, in tokens. */
const FULL_RESERVE = reserveOf(Number.MAX_SAFE_INTEGER)

/**
 * Tokens in the window ÷ effective budget of `"Session" s`, as `effectiveBudget` of the core computes it; NULL when
 * either is unknown.
 */
export const FILL_SHARE = Prisma.sql`(CASE WHEN s."window" > 0 THEN
  s."contextTokens" * 1.0 / (s."window" - CASE
    WHEN s."window" * ${MAX_RESERVE_SHARE} < ${FULL_RESERVE} THEN FLOOR(s."window" * ${MAX_RESERVE_SHARE})
    ELSE ${FULL_RESERVE} END)
  END)`
