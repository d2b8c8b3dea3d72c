import type { ContentMessage } from '../core/history/thinking'
import { withFields } from '../core/objects/with-fields'
import type { Policy } from '../core/policy/policy'
import { prunedMessage } from '../core/pruning/apply-prune'
import { type PruneContext, pruneContext } from '../core/pruning/prune-context'
import type { PruneDecision } from '../core/pruning/prune-decision'
import { pruneIndex } from '../core/pruning/prune-index'
import {
  type PruneMessage,
  type PruneMessageFacts,
  pruneMessage,
  pruneSource,
} from '../core/pruning/prune-message'
import { prunePlan } from '../core/pruning/prune-plan'
import type { PruneRuleName } from '../core/pruning/prune-rule-names'
import { rulesOf } from '../core/pruning/prune-rules'
import { withoutStaleCheckpoints } from '../core/pruning/without-checkpoints'
import { isImportant } from '../core/relevance/importance'
import type { SourceMessage } from '../core/summary/source-message'
import { isObject } from '../core/transcript/json'
import type { Milliseconds } from '../core/units/units'
import type { LiveParts } from './live-parts'

/**
 * A live conversation as rules of pruning look at it; `sources` by the same places, as far as summaries may read them.
 */
export type LivePruneContext = PruneContext & { readonly sources: readonly (SourceMessage | null)[] }

/** When messages were seen first, for agents whose messages do not say when they were written. */
export type FirstSeen = WeakMap<object, number>

/**
 * Reads a conversation for pruning.
 * @param seen messages that carry no time are as old as it knows them; null: they are of unknown age
 */
export function livePruneContext<M extends ContentMessage>(
  { form, agent, policy, window }: Pick<LiveParts<M>, 'form' | 'agent' | 'policy' | 'window'>,
  messages: readonly M[],
  seen: FirstSeen | null,
): LivePruneContext {
  const now = agent.clock.now()
  const sources = messages.map((message, index) => form.toSource(message, index))
  const read = messages.map((message, index): PruneMessage => {
    const source = sources[index] ?? UNREAD
    const isMarked = form.isImportant?.(message) === true
    const facts = {
      entryId: form.idOf?.(message) ?? `m${index}`,
      tokens: form.tokensOf(message),
      at: form.at?.(message) ?? (seen === null ? null : firstSeen(seen, message, now)),
      important: isMarked || isImportant({ role: source.role, text: source.text }),
    }
    return messageAsSeen(message, source, facts)
  })
  return { ...pruneContext(pruneIndex(read), { policy, window, now, lastTouchAt: null }), sources }
}

/**
 * A result with the placeholder for its text; null for a message of a kind that cannot be shortened. The pair stays
 * whole.
 */
export function clearedMessage<M extends ContentMessage>(
  { form, policy }: Pick<LiveParts<M>, 'form' | 'policy'>,
  message: M,
): M | null {
  if (message.content !== undefined)
    return prunedMessage(message, [{ call: null, action: 'clear' }], policy.pruning)
  return form.withText?.(message, policy.pruning.placeholder) ?? null
}

/** With all that its blocks say where it has such; else as summaries read it. */
function messageAsSeen(
  message: ContentMessage,
  source: SourceMessage,
  facts: PruneMessageFacts,
): PruneMessage {
  const raw: unknown = message
  if (message.content === undefined || !isObject(raw)) return pruneSource(source, facts)
  const { resultFor } = message
  const read = pruneMessage(resultFor === undefined ? raw : withFields(raw, { toolCallId: resultFor }), facts)
  return { ...read, role: source.role }
}

/** What summaries must not see stays, and is nothing that a rule asks for. */
const UNREAD: SourceMessage = { entryId: '', line: 0, role: 'other', text: '', calls: [], images: 0 }

/** Notes which messages are there; costs next to nothing, so that it can be done each turn. */
export function noteSeen<M extends ContentMessage>(
  { form, agent }: Pick<LiveParts<M>, 'form' | 'agent'>,
  messages: readonly M[],
  seen: FirstSeen,
): void {
  const now = agent.clock.now()
  for (const message of messages) if (form.at?.(message) == null) firstSeen(seen, message, now)
}

function firstSeen(seen: FirstSeen, message: object, now: Milliseconds): number {
  const known = seen.get(message)
  if (known !== undefined) return known
  seen.set(message, now)
  return now
}

type Parts<M extends ContentMessage> = Pick<LiveParts<M>, 'form' | 'agent' | 'policy' | 'window'>

/**
 * Prunes what is sent of a live conversation, and leaves the conversation as it is. What is pruned is decided only when
 * the provider's cache has gone cold, for a changed beginning costs nothing then; until the next time the same copies
 * are sent, so that the beginning of a request stays the same while the cache is warm. A long turn keeps the cache warm:
 * what goes by its age is looked for after every so many requests besides. Messages are known by their objects.
 */
export class SentPruning<M extends ContentMessage> {
  private copies = new WeakMap<M, M>()
  private lastAt: Milliseconds | null = null
  private readonly seen: FirstSeen = new WeakMap()
  /** Requests since it was last decided. */
  private requests = 0

  constructor(private readonly parts: Parts<M>) {}

  /** The messages of a request that is made now; the same list where nothing is pruned. */
  sent(messages: readonly M[]): readonly M[] {
    const { agent, policy } = this.parts
    const now = agent.clock.now()
    const rules = sentRules(policy)
    const isCold = this.lastAt === null || now - this.lastAt >= policy.pruning.cacheTtl.ttlMs
    noteSeen(this.parts, messages, this.seen)
    this.requests += 1
    const { everyIterations } = policy.summary.sliding
    const isRound = everyIterations > 0 && this.requests >= everyIterations && rules.includes('age')
    if ((isCold || isRound) && rules.length > 0) {
      this.copies = this.plan(messages, rules)
      this.requests = 0
    }
    this.lastAt = now
    return messages.some((message) => this.copies.has(message))
      ? withoutStaleCheckpoints(
          messages,
          messages.map((message) => this.copies.get(message) ?? message),
        )
      : messages
  }

  private plan(messages: readonly M[], rules: readonly PruneRuleName[]): WeakMap<M, M> {
    const { form, policy } = this.parts
    if (rules.every((rule) => rule === 'age') && !this.hasOld(messages)) return new WeakMap()
    const newest = messages.findLast(({ role }) => role === 'assistant')
    const lastTouchAt = this.lastAt ?? (newest === undefined ? null : (form.at?.(newest) ?? null))
    const context = { ...livePruneContext(this.parts, messages, this.seen), lastTouchAt }
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

  /** Whether anything is older than results may be. */
  private hasOld(messages: readonly M[]): boolean {
    const { form, agent, policy } = this.parts
    const now = agent.clock.now()
    return messages.some((message) => {
      const at = form.at?.(message) ?? this.seen.get(message) ?? now
      return now - at > policy.pruning.toolResultsAfterMs
    })
  }
}

/**
 * The rules that a request is pruned by. What goes by its age alone is summarised first where the policy says so and
 * sliding summaries see to it; where nothing ever gets too old, that rule has nothing to look for.
 */
export function sentRules(policy: Policy): PruneRuleName[] {
  const { summarizeFirst, toolResultsAfterMs } = policy.pruning
  const isSummarised = summarizeFirst && policy.summary.sliding.enabled
  return rulesOf(policy).filter((rule) => rule !== 'age' || (!isSummarised && toolResultsAfterMs > 0))
}
