import type { Policy } from '../../core/policy/policy'
import { formatCount, formatQuantity } from '../text/format'
import type { FillAggregate } from './policy-fills'
import { thresholds } from './policy-lines'
import { REGION_VIEWS, type Region } from './policy-ratio'
import { regionEffect } from './region-fills'

/** What a change of a policy means for the operator's own sessions. */
type PolicyEffect = {
  /** Unique among them: `region history`, `compact`. */
  readonly id: string
  /** `History region: 31 → 12 of 212 sessions over it`. */
  readonly words: string
}

const COMPARED: readonly Region[] = ['systemPrompt', 'bootstrap', 'history', 'response']

/**
 * Regions and load lines that other sessions would be over than before, or as many where only the switch was moved.
 * @param window that shares are shown for, in tokens
 */
export function policyEffects(
  before: Policy,
  after: Policy,
  fills: FillAggregate,
  window: number,
): readonly PolicyEffect[] {
  return [...regionEffects(before, after, fills), ...lineEffects(before, after, fills, window)]
}

function regionEffects(before: Policy, after: Policy, { parts }: FillAggregate): PolicyEffect[] {
  if (!before.budget.enabled && !after.budget.enabled) return []
  return COMPARED.flatMap((region): PolicyEffect[] => {
    const overOf = ({ budget }: Policy) => (budget.enabled ? regionEffect(parts, budget, region) : null)
    const [was, is] = [overOf(before), overOf(after)]
    const of = was?.of ?? is?.of ?? 0
    if (of === 0 || was?.over === is?.over) return []
    return [
      {
        id: `region ${region}`,
        words: `${REGION_VIEWS[region].label} region: ${change(was?.over, is?.over)} of ${formatQuantity(of, 'session')} over it`,
      },
    ]
  })
}

function lineEffects(before: Policy, after: Policy, fills: FillAggregate, window: number): PolicyEffect[] {
  const old = new Map(thresholds(before, window, fills).map((line) => [line.id, line]))
  return thresholds(after, window, fills).flatMap((line): PolicyEffect[] => {
    const was = old.get(line.id)
    const sessionsOf = (one: typeof was) => (one?.enabled ? one.crossed.sessions : undefined)
    const { of } = line.crossed
    if (of === 0 || sessionsOf(was) === sessionsOf(line)) return []
    return [
      {
        id: line.id,
        words: `${line.label}: ${change(sessionsOf(was), sessionsOf(line))} of ${formatQuantity(of, 'session')} reach it`,
      },
    ]
  })
}

/** `31 → 12`; what is switched off is said. */
function change(was: number | undefined, is: number | undefined): string {
  const words = (count: number | undefined) => (count === undefined ? 'off' : formatCount(count))
  return `${words(was)} → ${words(is)}`
}
