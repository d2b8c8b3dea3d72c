import type { TokensOf } from '../../core/history/message'
import { type Calibration, factorFor, perMessage } from '../../core/tokens/calibration'
import { ENTRY_CATEGORIES, type EntryCategory } from '../../core/tokens/category'
import type { ContextEntry } from '../../core/transcript/context'
import type { EntryFact } from '../../core/transcript/entry'

/**
 * The messages of a transcript's context, for the limits: everything since the last compaction that reaches the model,
 * its summary first (C9). Text that a runtime merges into the message before it still counts where it is.
 */
export function messagesOfContext(context: readonly ContextEntry[]): EntryFact[] {
  return context.filter((entry) => entry.sent || entry.why === 'merged').map((entry) => entry.fact)
}

/**
 * Tokens of a transcript's messages: what the provider reported for its own answers, else units by the calibration.
 * Thinking takes no room when the policy does not send it (C11), or when the calibration found that no one does.
 */
export function factTokens(calibration: Calibration, sendThinking: boolean): TokensOf<EntryFact> {
  const overhead = perMessage(calibration)
  const factors = new Map(ENTRY_CATEGORIES.map((category) => [category, factorFor(calibration, category)]))
  if (!sendThinking) factors.set('thinking', 0)
  const withoutThinking = factors.get('thinking') === 0
  return (fact) => {
    const { units } = fact
    const output = fact.role === 'assistant' ? (fact.usage?.output ?? 0) : 0
    let tokens = 0
    let all = 0
    for (const category in units) {
      const amount = units[category as EntryCategory] ?? 0
      all += amount
      tokens += amount * (factors.get(category as EntryCategory) ?? 0)
    }
    if (output <= 0) return overhead + tokens
    // Reported output is divided among its parts in proportion to their units, as frames do it.
    const thinking = withoutThinking ? (units?.thinking ?? 0) : 0
    return overhead + output * (thinking > 0 ? (all - thinking) / all : 1)
  }
}
