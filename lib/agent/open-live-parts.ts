import { isUserTurn, type TokensOf } from '../core/history/message'
import type { ContentMessage } from '../core/history/thinking'
import { withFields } from '../core/objects/with-fields'
import type { Policy } from '../core/policy/policy'
import { chunkGroups } from '../core/pruning/chunk-groups'
import { uncovered } from '../core/summary/covered-message'
import type { MessageForm } from '../core/summary/message-form'
import type { SourceMessage } from '../core/summary/source-message'
import { estimateUnits, type TextEstimator } from '../core/tokens/estimate'
import type { Tokens } from '../core/units/units'
import { ColdLibrary } from '../engine/cold/search-cold'
import type { CallScope } from '../engine/jobs/call-scope'
import { transientMemory } from '../engine/knowledge/agent-memory'
import { ContextScorer } from '../engine/relevance/score-context'
import type { AgentInParts } from './conversation'
import { guardedAgent } from './guarded-agent'
import type { Curate, LiveAgent } from './live-agent'
import { LiveGauge } from './live-gauge'
import type { ContextPass, LiveCold, LiveParts } from './live-parts'
import { RelevancePass } from './relevance-pass'
import { RememberedState } from './remembered-state'
import { SlidePass } from './slide-pass'

/** The state of a live agent's conversation, with what the agent does not give made good. */
export function openLiveParts<M extends ContentMessage>(
  given: AgentInParts<M>,
  options: {
    readonly policy: Policy
    readonly window: Tokens
    readonly tokensOf: TokensOf<M>
    readonly countText?: TextEstimator
    readonly passes?: readonly ContextPass<M>[]
  },
  scope: CallScope,
  known: Pick<LiveParts<M>, 'fixedTokens' | 'historyBudget' | 'workspaceRules'>,
): LiveParts<M> {
  const { policy, window, tokensOf, countText = estimateUnits } = options
  const agent: AgentInParts<M> = Object.assign(guardedAgent(given, scope), { held: given.held })
  const own = () => agent.getTokenCount?.() ?? null
  const gauge = new LiveGauge<M>({ policy, window, tokensOf, own, fixedTokens: known.fixedTokens })
  const secrets = agent.secrets ?? { mask: uncovered, isSecret: () => false }
  const cold = openCold(agent)
  return {
    policy,
    window,
    agent,
    gauge,
    form: withFields(agent.form, { toSource: readOnce(agent.form.toSource), tokensOf: gauge.sizeOf }),
    state: new RememberedState(agent.memory ?? transientMemory(), agent.session),
    summary: { ...secrets, sizeOf: countText },
    cold,
    passes: passesOf(agent, policy, cold, secrets.mask, options.passes ?? []),
    ...known,
  }
}

/**
 * A message at its place is read once: a compaction asks for what it says several times. What was read of another list is
 * let go from the first place on where the two differ.
 */
function readOnce<M extends object>(toSource: MessageForm<M>['toSource']): MessageForm<M>['toSource'] {
  const messages: M[] = []
  const sources: (SourceMessage | null)[] = []
  return (message, index) => {
    if (messages[index] === message) return sources[index] as SourceMessage | null
    const source = toSource(message, index)
    if (index < messages.length) {
      messages.length = index
      sources.length = index
    }
    if (index > messages.length) return source
    messages.push(message)
    sources.push(source)
    return source
  }
}

function openCold<M>({ cold: store, clock, embedding = null }: LiveAgent<M>): LiveCold | null {
  if (store === undefined) return null
  const ports = { store, now: () => clock.now() }
  return { ports, library: new ColdLibrary(store, ports.now), embedding, asked: '', cameBack: new Set() }
}

/** The agent's own way to curate comes first, then dropping by relevance, sliding summaries, and what else is plugged in. */
function passesOf<M extends ContentMessage>(
  { curate, dropsByRelevance = true }: LiveAgent<M>,
  policy: Policy,
  cold: LiveCold | null,
  mask: (text: string) => string,
  more: readonly ContextPass<M>[],
): readonly ContextPass<M>[] {
  const own = curate === undefined ? [] : [customPass(curate)]
  const others = [new SlidePass<M>(), ...more]
  if (cold === null || !dropsByRelevance) return [...own, ...others]
  const scorer = new ContextScorer({ policy, embedding: cold.embedding, mask })
  return [...own, new RelevancePass<M>(cold.ports, scorer), ...others]
}

/** An agent's own way to curate, as a part of the ladder: above the first line, before a request. */
function customPass<M extends ContentMessage>(curate: Curate<M>): ContextPass<M> {
  return {
    step: 'curate',
    failed: 'Nothing was curated',
    isDue: ({ moment, check, last }) =>
      moment === 'before' && !last && check.reached.some(({ kind }) => kind === 'curate'),
    run: async ({ messages, incoming, parts: { policy, window } }) => {
      const kept: unknown = await curate({ messages, incoming, policy, window })
      if (!Array.isArray(kept)) throw new Error('`curate` answered no list of messages')
      const after = curated(messages, kept, incoming)
      return { messages: after.length === messages.length ? null : after, drop: null, notes: [] }
    },
  }
}

/**
 * What an agent's own way to curate leaves, in the order of the conversation: a call and its results stay together, and
 * the newest message of the user stays.
 * @throws Error when something is in the answer that was not in the conversation
 */
function curated<M extends ContentMessage>(
  messages: readonly M[],
  kept: readonly unknown[],
  incoming: readonly M[],
): readonly M[] {
  const known = new Set<unknown>(messages)
  if (kept.some((message) => !known.has(message)))
    throw new Error('`curate` answered a message that was not in the conversation')
  const stays = new Set<unknown>(kept)
  const newest = incoming.some(isUserTurn) ? -1 : messages.findLastIndex(isUserTurn)
  const places = new Set(
    chunkGroups(messages)
      .filter((group) => group.some((place) => place === newest || stays.has(messages[place])))
      .flat(),
  )
  return messages.filter((_, place) => places.has(place))
}
