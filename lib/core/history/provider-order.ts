import { ALPHANUMERIC_IDS, type IdRule, NINE_IDS, renameCalls, STRICT_IDS } from './call-ids'
import type { HistoryMessage } from './message'
import { callsOf, splitMessages } from './message-parts'
import { isResult, withoutOrphans } from './pairing'

/** Providers by what they demand of a history; `other` is everything that speaks OpenAI's chat format. */
export type ProviderFamily = 'anthropic' | 'google' | 'mistral' | 'openai' | 'other'

/** How the caller's own messages are made; each returns a new message. */
export type MessageCraft<M> = {
  /** One message with the content of two neighbours of the same side. */
  readonly merge: (first: M, next: M) => M
  /** A short user message for a history that begins with an answer. */
  readonly opening: () => M
  /** The same message with its call and result ids replaced as the map says. */
  readonly rename: (message: M, ids: ReadonlyMap<string, string>) => M
  /** Whether two neighbours of one side can be one message; without it all can. */
  readonly mayMerge?: (first: M, next: M) => boolean
}

type Rules = { readonly alternate: boolean; readonly ids: IdRule | null; readonly prefill: boolean }

/**
 * Rules of lib/docs/openclaw.md#demands-of-providers. `prefill`: a history that ends with an answer is refused while
 * thinking is on.
 */
const RULES: { readonly [F in ProviderFamily]: Rules } = {
  anthropic: { alternate: true, ids: STRICT_IDS, prefill: true },
  google: { alternate: true, ids: ALPHANUMERIC_IDS, prefill: false },
  mistral: { alternate: true, ids: NINE_IDS, prefill: false },
  openai: { alternate: false, ids: null, prefill: false },
  // Chat templates of local models demand alternation; those that do not are none the worse for it.
  other: { alternate: true, ids: null, prefill: false },
}

const FAMILIES: readonly (readonly [RegExp, ProviderFamily])[] = [
  [/anthropic|bedrock|minimax/i, 'anthropic'],
  [/google|gemini|vertex/i, 'google'],
  [/mistral/i, 'mistral'],
  [/^(openai|azure-openai|openai-codex|github-copilot)\b/i, 'openai'],
]

/** The family of a provider; the API decides where a provider speaks another's (`google-vertex` with Anthropic's). */
export function providerFamily(provider: string, api = ''): ProviderFamily {
  for (const name of [api.replace(/^openai-completions$/i, ''), provider]) {
    const family = FAMILIES.find(([pattern]) => pattern.test(name))
    if (family !== undefined) return family[1]
  }
  return 'other'
}

/**
 * A history in the order that a provider accepts: no result without its call, neighbours of one side merged where
 * sides must alternate, a user message first, ids of the right form. Doing it twice changes nothing more. Calls without
 * a result are left to transcript repair.
 * @param options.thinking whether the request asks for thinking
 */
export function orderForProvider<M extends HistoryMessage>(
  messages: readonly M[],
  family: ProviderFamily,
  craft: MessageCraft<M>,
  options: { readonly thinking?: boolean } = {},
): readonly M[] {
  const { alternate, ids, prefill } = RULES[family]
  const ordered: M[] = []
  for (const message of withoutOrphans(messages)) {
    const last = ordered.at(-1)
    if (
      alternate &&
      last !== undefined &&
      mayMerge(last, message) &&
      (craft.mayMerge?.(last, message) ?? true)
    )
      ordered.splice(-1, 1, craft.merge(last, message))
    else ordered.push(message)
  }
  if (prefill && options.thinking) while (ordered.at(-1)?.role === 'assistant') ordered.pop()
  if (ordered[0]?.role === 'assistant') ordered.unshift(craft.opening())
  const renamed = ids === null ? null : renameCalls(ordered, ids)
  return renamed === null || renamed.size === 0
    ? ordered
    : ordered.map((message) => (namesAny(message, renamed) ? craft.rename(message, renamed) : message))
}

/**
 * Whether a provider takes the ids of all calls as they are.
 * @param provider as `providerFamily` takes it; null: none is known, so that the strictest rule but Mistral's counts
 */
export function acceptsIds(messages: readonly HistoryMessage[], provider: string | null): boolean {
  const { ids } = RULES[provider === null ? 'anthropic' : providerFamily(provider)]
  return ids === null || renameCalls(messages, ids).size === 0
}

/** Whether a message goes out in the user's name: prompts, summaries, shell output, notes; but no tool results. */
export function isUserSide(message: HistoryMessage): boolean {
  return message.role !== 'assistant' && !INSTRUCTIONS.has(message.role) && !isResult(message)
}

/** Roles of instructions, which belong to neither side. */
const INSTRUCTIONS: ReadonlySet<unknown> = new Set(['system', 'developer'])

/** An answer with calls is followed by their results, so it is never merged with the next answer. */
function mayMerge(first: HistoryMessage, next: HistoryMessage): boolean {
  if (isUserSide(first)) return isUserSide(next)
  return first.role === 'assistant' && next.role === 'assistant' && callsOf(first).length === 0
}

function namesAny(message: HistoryMessage, ids: ReadonlyMap<string, string>): boolean {
  return splitMessages([message]).some(
    ({ calls, resultFor }) => ids.has(resultFor ?? '') || (calls ?? []).some(({ id }) => ids.has(id)),
  )
}
