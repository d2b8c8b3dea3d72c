import type { EntryFact, Usage } from '../transcript/entry'

/**
 * The size of the prompt as the provider counted it: input + cache read + cache write, in tokens. Null when nothing
 * was reported (zeros count as nothing reported).
 */
export function promptTokens(usage: Usage | null | undefined): number | null {
  if (usage == null) return null
  const total = usage.input + usage.cacheRead + usage.cacheWrite
  return total > 0 ? total : null
}

/** Prompt tokens of the call behind an assistant entry; null also for failed and aborted calls, whose usage is partial. */
export function reportedPrompt(answer: EntryFact): number | null {
  if (answer.stopReason === 'error' || answer.stopReason === 'aborted') return null
  return promptTokens(answer.usage)
}

/** Tokens of an answer as its provider counted them; null: not reported, or not to be relied on. */
export function reportedOutput({ usage }: Pick<EntryFact, 'usage'>): number | null {
  return usage != null && usage.output > 0 && !usage.outputUnsure ? usage.output : null
}
