import type { TokensOf } from '../core/history/message'
import type { ContentMessage } from '../core/history/thinking'
import type { Policy } from '../core/policy/policy'
import { estimateUnits, type TextEstimator } from '../core/tokens/estimate'
import { transientMemory } from './agent-memory'
import { ColdMemory } from './cold-memory'
import type { ContextPass } from './context-pass'
import { customPass } from './custom-pass'
import { Ladder } from './ladder'
import type { LadderParts } from './ladder-parts'
import type { LadderTools } from './ladder-tools'
import type { LiveAgent } from './live-agent'
import { LiveGauge } from './live-gauge'
import { RelevancePass } from './relevance-pass'
import { RememberedState } from './remembered-state'
import { ContextScorer } from './score-context'
import { ColdLibrary } from './search-cold'
import { SlidePass } from './slide-pass'

/** The ladder of a live agent, with what it lacks made good. */
export function openLadder<M extends ContentMessage>(
  agent: LiveAgent<M>,
  options: {
    readonly policy: Policy
    readonly window: number
    readonly tokensOf: TokensOf<M>
    readonly countText?: TextEstimator
    readonly passes?: readonly ContextPass<M>[]
  },
  known: Pick<LadderParts<M>, 'fixedTokens' | 'historyBudget' | 'workspaceRules'>,
): Ladder<M> {
  const { policy, window, tokensOf, countText = estimateUnits } = options
  const own = () => agent.getTokenCount?.() ?? null
  const gauge = new LiveGauge<M>({ policy, window, tokensOf, own, fixedTokens: known.fixedTokens })
  const secrets = agent.secrets ?? { mask: (text: string) => text, isSecret: () => false }
  const parts: LadderParts<M> = {
    ...known,
    policy,
    window,
    agent,
    gauge,
    form: { ...agent.form, tokensOf: gauge.sizeOf },
    state: new RememberedState(agent.memory ?? transientMemory(), agent.session),
    summary: { ...secrets, sizeOf: countText },
  }
  return new Ladder(parts, toolsFor(agent, parts, options.passes ?? []))
}

/** The agent's own way to curate comes first, then dropping by relevance, sliding summaries, and what else is plugged in. */
function toolsFor<M extends ContentMessage>(
  agent: LiveAgent<M>,
  { policy, summary }: LadderParts<M>,
  more: readonly ContextPass<M>[],
): LadderTools<M> {
  const { curate, cold: store, clock } = agent
  const own = curate === undefined ? [] : [customPass(curate)]
  const others = [new SlidePass<M>(), ...more]
  if (store === undefined) return { passes: [...own, ...others], cold: null }
  const cold = { store, now: () => clock.now() }
  const embedding = agent.embedding ?? null
  const scorer = new ContextScorer({ policy, embedding, mask: summary.mask })
  const memory = new ColdMemory<M>(cold, new ColdLibrary(store, cold.now), embedding)
  return { passes: [...own, new RelevancePass<M>(cold, scorer), ...others], cold: memory }
}
