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

/** Reasoning is reported in whole steps of so many tokens, rounded down, by OpenAI. */
const REASONING_STEP = 64

/**
 * Tokens that an answer takes when it is sent again: its reported output, with what rounding took of its reasoning as
 * far as the size of that tells. null as in `reportedOutput`.
 */
export function resentOutput(answer: Pick<EntryFact, 'usage' | 'units'>): number | null {
  const output = reportedOutput(answer)
  return output === null ? null : output + roundedOff(answer)
}

/** What of a resent output is reasoning; null: the provider does not say. Tokens. */
export function resentReasoning(answer: Pick<EntryFact, 'usage' | 'units'>): number | null {
  const { reasoning } = answer.usage ?? {}
  return reasoning === undefined ? null : reasoning + roundedOff(answer)
}

function roundedOff({ usage, units }: Pick<EntryFact, 'usage' | 'units'>): number {
  const reasoning = usage?.reasoning
  const thinking = units?.thinking ?? 0
  if (reasoning === undefined || thinking === 0 || reasoning % REASONING_STEP !== 0) return 0
  return Math.min(REASONING_STEP - 1, Math.max(0, Math.round(thinking - reasoning)))
}
