import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import type { Policy } from '../../core/policy/policy'

const off = { enabled: false }

/** Nothing but compaction happens by itself: a test switches on what it is about. */
export const QUIET_POLICY: Policy = {
  ...DEFAULT_POLICY,
  compaction: { ...DEFAULT_POLICY.compaction, keepRecentTokens: 2_000 },
  lines: {
    ...DEFAULT_POLICY.lines,
    curate: { ...DEFAULT_POLICY.lines.curate, ...off },
    slide: { ...DEFAULT_POLICY.lines.slide, ...off },
    checkpoints: { ...DEFAULT_POLICY.lines.checkpoints, ...off },
    flush: { ...DEFAULT_POLICY.lines.flush, ...off },
  },
}
