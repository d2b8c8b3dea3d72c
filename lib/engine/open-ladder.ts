import type { TokensOf } from '../core/history/message'
import type { ContentMessage } from '../core/history/thinking'
import type { Policy } from '../core/policy/policy'
import { estimateUnits, type TextEstimator } from '../core/tokens/estimate'
import { transientMemory } from './agent-memory'
import { Ladder } from './ladder'
import type { LadderParts } from './ladder-parts'
import type { LiveAgent } from './live-agent'
import { LiveGauge } from './live-gauge'
import { RememberedState } from './remembered-state'

/** The ladder of a live agent, with what it lacks made good. */
export function openLadder<M extends ContentMessage>(
  agent: LiveAgent<M>,
  options: {
    readonly policy: Policy
    readonly window: number
    readonly tokensOf: TokensOf<M>
    readonly countText?: TextEstimator
  },
  known: Pick<LadderParts<M>, 'fixedTokens' | 'historyBudget'>,
): Ladder<M> {
  const { policy, window, tokensOf, countText = estimateUnits } = options
  const own = () => agent.getTokenCount?.() ?? null
  const gauge = new LiveGauge<M>({ policy, window, tokensOf, own, fixedTokens: known.fixedTokens })
  const secrets = agent.secrets ?? { mask: (text: string) => text, isSecret: () => false }
  return new Ladder({
    ...known,
    policy,
    window,
    agent,
    gauge,
    form: { ...agent.form, tokensOf: gauge.sizeOf },
    state: new RememberedState(agent.memory ?? transientMemory(), agent.session),
    summary: { ...secrets, sizeOf: countText },
  })
}
