import type { Policy } from '../policy/policy'
import type { Tokens } from '../units/units'

/** The rule of thumb by which a budget in tokens becomes a cap in characters. */
const CHARS_PER_TOKEN = 4

/** Most characters (UTF-16 units) of one file and of all together; `perFile` is never more than `total`. */
export type BootstrapCaps = {
  readonly perFile: number
  readonly total: number
  /** The region's tokens, where the caps come from the budget; null for the policy's own caps. */
  readonly tokens: Tokens | null
}

/**
 * The caps of a policy: its own characters, or with a budget the bootstrap region × 4. Seed 0 calls the region's
 * characters a limit per file and a total; both hold.
 * @param regionTokens the bootstrap region (`splitWindow(…).bootstrap`); null while the policy's budget is switched off
 */
export function bootstrapCaps(
  policy: Pick<Policy['bootstrap'], 'maxCharsPerFile' | 'maxCharsTotal'>,
  regionTokens: Tokens | null,
): BootstrapCaps {
  if (regionTokens !== null) {
    const total = Math.max(0, Math.floor(regionTokens)) * CHARS_PER_TOKEN
    return { perFile: total, total, tokens: regionTokens }
  }
  const { maxCharsPerFile, maxCharsTotal: total } = policy
  return { perFile: Math.min(maxCharsPerFile, total), total, tokens: null }
}
