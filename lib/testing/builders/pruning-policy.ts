import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import type { Policy } from '../../core/policy/policy'

/** Prunes by every rule that needs no model, at once. */
export const PRUNING_POLICY: Policy = {
  ...DEFAULT_POLICY,
  pruning: {
    ...DEFAULT_POLICY.pruning,
    byAge: true,
    duplicates: true,
    supersededReads: true,
    summarizeFirst: false,
    cacheTtl: { ...DEFAULT_POLICY.pruning.cacheTtl, enabled: true, ttlMs: 0 },
  },
}
