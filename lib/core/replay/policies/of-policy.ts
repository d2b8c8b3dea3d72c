import { loadLines } from '../../budget/load-lines'
import type { Policy } from '../../policy/policy'
import { digestBudget } from '../../summary/digest'
import type { Tokens } from '../../units/units'
import type { PolicyStep, ReplayPolicy } from '../replay-policy'
import type { ReplayWalk } from '../walk/replay-walk'
import { byWindow, type CompactAt, compactNow } from './compact-at'

/** A policy of ours as the live engine would carry it out, call by call. */
export function policyReplay(
  policy: Policy,
  { id, label, about, source, family }: Omit<ReplayPolicy, 'start'>,
): ReplayPolicy {
  return { id, label, about, source, family, start: (walk) => policyStep(walk, policy) }
}

/** A compaction that frees less than this share of the prompt is not made, as the live engine leaves it. */
const WORTH = 0.1

function policyStep(walk: ReplayWalk, policy: Policy): PolicyStep {
  const { maxTokens } = policy.summary.rolling
  const how: CompactAt = {
    line: () => null,
    policy,
    summary: 'digest',
    request: policy.summary.model === '' ? 'none' : 'cold',
    summaryTokens: (gone) => Math.min(maxTokens, digestBudget(gone)),
    carries: 'ask and important',
    worth: WORTH,
  }
  const lineOf = byWindow((window) => compactLine(policy, window))
  return () => {
    if (walk.prompt >= lineOf(walk.window)) compactNow(walk, how)
  }
}

/** The lowest line at which the library compacts; above every prompt where there is none. */
function compactLine(policy: Policy, window: Tokens): number {
  const lines = loadLines(policy, window).filter(
    ({ kind, unreachable }) => (kind === 'compact' || kind === 'hard') && unreachable !== true,
  )
  return lines[0]?.tokens ?? Number.POSITIVE_INFINITY
}
