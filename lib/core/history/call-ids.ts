import type { HistoryMessage } from './message'
import { splitMessages } from './message-parts'
import { shortDigest } from './short-digest'

/** What a provider takes for the id of a tool call. */
export type IdRule = { readonly allowed: RegExp; readonly length?: number; readonly max: number }

/** Only letters, digits, `_` and `-`: Anthropic, Bedrock, MiniMax (lib/docs/openclaw.md#demands-of-providers). */
export const STRICT_IDS: IdRule = { allowed: /^[A-Za-z0-9_-]+$/, max: 64 }
/** Only letters and digits: Google. */
export const ALPHANUMERIC_IDS: IdRule = { allowed: /^[A-Za-z0-9]+$/, max: 64 }
/** Exactly nine letters and digits: Mistral. */
export const NINE_IDS: IdRule = { allowed: /^[A-Za-z0-9]+$/, length: 9, max: 9 }

/**
 * New ids for the tool calls whose own a provider would refuse. An id gets the same new one in every request, whatever
 * else is in the list (a cached prefix stays valid), unless two would become one: then the later gets another name.
 * Ids that are fine keep theirs and are not in the map.
 */
export function renameCalls(messages: readonly HistoryMessage[], rule: IdRule): ReadonlyMap<string, string> {
  return renamePartCalls(splitMessages(messages), rule)
}

/** The same for what names its calls and results itself, as parts of messages and facts of entries do. */
export function renamePartCalls(
  parts: readonly Pick<HistoryMessage, 'calls' | 'resultFor'>[],
  rule: IdRule,
): ReadonlyMap<string, string> {
  const ids = new Set<string>()
  for (const message of parts) {
    for (const { id } of message.calls ?? []) ids.add(id)
    if (message.resultFor !== undefined) ids.add(message.resultFor)
  }
  // Only an id that is fine can be a new one, so those that are renamed take nothing away.
  const taken = new Set(ids)
  const renamed = new Map<string, string>()
  for (const id of ids) {
    if (isFine(id, rule)) continue
    let next = id.replace(/[^A-Za-z0-9]/g, '')
    for (let salt = 0; !isFine(next, rule) || taken.has(next); salt++) next = shortDigest(`${salt}:${id}`)
    taken.add(next)
    renamed.set(id, next)
  }
  return renamed
}

function isFine(id: string, { allowed, length, max }: IdRule): boolean {
  return allowed.test(id) && id.length <= max && (length === undefined || id.length === length)
}
