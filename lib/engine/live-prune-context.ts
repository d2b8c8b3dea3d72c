import type { ContentMessage } from '../core/history/thinking'
import { prunedMessage } from '../core/pruning/apply-prune'
import { type PruneContext, pruneContext } from '../core/pruning/prune-context'
import { pruneIndex } from '../core/pruning/prune-index'
import {
  type PruneMessage,
  type PruneMessageFacts,
  pruneMessage,
  pruneSource,
} from '../core/pruning/prune-message'
import { isImportant } from '../core/relevance/importance'
import type { SourceMessage } from '../core/summary/source-message'
import { isObject } from '../core/transcript/json'
import type { LadderParts } from './ladder-parts'

/** A live conversation as rules of pruning look at it; `sources` by the same places, as far as summaries may read them. */
export type LivePruneContext = PruneContext & { readonly sources: readonly (SourceMessage | null)[] }

/** When messages were seen first, for agents whose messages do not say when they were written. */
export type FirstSeen = WeakMap<object, number>

/**
 * Reads a conversation for pruning.
 * @param seen messages that carry no time are as old as it knows them; null: they are of unknown age
 */
export function livePruneContext<M extends ContentMessage>(
  { form, agent, policy, window }: Pick<LadderParts<M>, 'form' | 'agent' | 'policy' | 'window'>,
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
 * A result with the placeholder for its text; null for a message of a kind that cannot be shortened. The pair stays whole
 * (J7).
 */
export function clearedMessage<M extends ContentMessage>(
  { form, policy }: Pick<LadderParts<M>, 'form' | 'policy'>,
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
  const read = pruneMessage(resultFor === undefined ? raw : { ...raw, toolCallId: resultFor }, facts)
  return { ...read, role: source.role }
}

/** What summaries must not see stays, and is nothing that a rule asks for. */
const UNREAD: SourceMessage = { entryId: '', line: 0, role: 'other', text: '', calls: [], images: 0 }

/** Notes which messages are there; costs next to nothing, so that it can be done each turn. */
export function noteSeen<M extends ContentMessage>(
  { form, agent }: Pick<LadderParts<M>, 'form' | 'agent'>,
  messages: readonly M[],
  seen: FirstSeen,
): void {
  const now = agent.clock.now()
  for (const message of messages) if (form.at?.(message) == null) firstSeen(seen, message, now)
}

function firstSeen(seen: FirstSeen, message: object, now: number): number {
  const known = seen.get(message)
  if (known !== undefined) return known
  seen.set(message, now)
  return now
}
