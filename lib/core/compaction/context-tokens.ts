import type { EntryFact } from '../transcript/entry'
import type { SizedEntry } from './sized-entry'

/**
 * The runtimes' figure for the tokens of a context (lib/docs/openclaw.md#sizes): the last reported usage in it, and
 * their own estimate for what follows. It is what compaction records carry as `tokensBefore`.
 * @param from entries before this index say nothing about the context any more (usage from before a compaction); pi
 *   takes it all the same and passes 0
 */
export function runtimeContextTokens(context: readonly SizedEntry[], from = 0): number {
  let trailing = 0
  for (let i = context.length - 1; i >= 0; i--) {
    const entry = context[i] as SizedEntry
    const reported = i < from ? null : usageTokens(entry.fact)
    if (reported !== null) return reported + trailing
    trailing += entry.size
  }
  return trailing
}

/**
 * null where nothing valid was reported. Zeros say nothing either: OpenClaw 2026.9 looks further back for them. Earlier
 * releases and pi 0.73 take them for the size of the context, and record next to nothing for a full one.
 */
function usageTokens(fact: EntryFact): number | null {
  if (fact.role !== 'assistant') return null
  if (fact.stopReason === 'aborted' || fact.stopReason === 'error' || fact.usage == null) return null
  const { input, output, cacheRead, cacheWrite } = fact.usage
  return input + output + cacheRead + cacheWrite
}
