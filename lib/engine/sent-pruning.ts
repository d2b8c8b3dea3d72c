import type { ContentMessage } from '../core/history/thinking'
import type { Policy } from '../core/policy/policy'
import { prunedMessage } from '../core/pruning/apply-prune'
import type { PruneDecision } from '../core/pruning/prune-decision'
import { prunePlan } from '../core/pruning/prune-plan'
import type { PruneRuleName } from '../core/pruning/prune-rule-names'
import { rulesOf } from '../core/pruning/prune-rules'
import type { LadderParts } from './ladder-parts'
import { livePruneContext } from './live-prune-context'

type Parts<M extends ContentMessage> = Pick<LadderParts<M>, 'form' | 'agent' | 'policy' | 'window'>

/**
 * Prunes what is sent of a live conversation, and leaves the conversation as it is. What is pruned is decided only when
 * the provider's cache has gone cold, for a changed beginning costs nothing then; until the next time the same copies are
 * sent, so that the beginning of a request stays the same while the cache is warm. Messages are known by their objects.
 */
export class SentPruning<M extends ContentMessage> {
  private copies = new WeakMap<M, M>()
  private lastAt: number | null = null

  constructor(private readonly parts: Parts<M>) {}

  /** The messages of a request that is made now; the same list where nothing is pruned. */
  sent(messages: readonly M[]): readonly M[] {
    const { agent, policy } = this.parts
    const now = agent.clock.now()
    const rules = sentRules(policy)
    const isCold = this.lastAt === null || now - this.lastAt >= policy.pruning.cacheTtl.ttlMs
    if (isCold && rules.length > 0) this.copies = this.plan(messages, rules)
    this.lastAt = now
    return messages.some((message) => this.copies.has(message))
      ? messages.map((message) => this.copies.get(message) ?? message)
      : messages
  }

  private plan(messages: readonly M[], rules: readonly PruneRuleName[]): WeakMap<M, M> {
    const { form, policy } = this.parts
    const newest = messages.findLast(({ role }) => role === 'assistant')
    const lastTouchAt = this.lastAt ?? (newest === undefined ? null : (form.at?.(newest) ?? null))
    const context = { ...livePruneContext(this.parts, messages, null), lastTouchAt }
    const byPlace = new Map<number, PruneDecision[]>()
    for (const decision of prunePlan(context, rules).decisions) {
      const known = byPlace.get(decision.at)
      if (known === undefined) byPlace.set(decision.at, [decision])
      else known.push(decision)
    }
    const copies = new WeakMap<M, M>()
    for (const [at, decisions] of byPlace) {
      const message = messages[at]
      if (message?.content !== undefined)
        copies.set(message, prunedMessage(message, decisions, policy.pruning))
    }
    return copies
  }
}

/** What goes by its age alone is summarised first where the policy wants that (J5): sliding summaries see to it. */
function sentRules(policy: Policy): PruneRuleName[] {
  return rulesOf(policy).filter((rule) => rule !== 'age' || !policy.pruning.summarizeFirst)
}
