import { isObject, type JsonObject, numberOf, stringOf } from '../transcript/json'

/** What an answer of a model says of the request that it answers; null where it does not say. */
export type AnswerFacts = {
  readonly stopReason: string | null
  /** Tokens of the prompt, what was cached included. */
  readonly prompt: number | null
  readonly output: number | null
  /** Why it failed, where an API answers failures instead of throwing them. */
  readonly error: string | null
}

/** Reads an answer as pi, Anthropic, OpenAI Chat Completions and Responses, and the AI SDK give it. */
export function answerFacts(answer: unknown): AnswerFacts {
  if (!isObject(answer)) return { stopReason: null, prompt: null, output: null, error: null }
  const choice = Array.isArray(answer.choices) && isObject(answer.choices[0]) ? answer.choices[0] : {}
  const reason =
    stringOf(answer.stopReason) ??
    stringOf(answer.stop_reason) ??
    stringOf(answer.finishReason) ??
    stringOf(choice.finish_reason) ??
    itemReason(answer)
  const usage = isObject(answer.usage) ? answer.usage : {}
  const error = answer.stopReason === 'error' ? stringOf(answer.errorMessage) : undefined
  return {
    stopReason: reason === undefined ? null : (SAME[reason] ?? reason),
    prompt: promptOf(usage),
    output:
      numberOf(usage.output) ??
      numberOf(usage.output_tokens) ??
      numberOf(usage.completion_tokens) ??
      numberOf(usage.outputTokens) ??
      null,
    error: error ?? null,
  }
}

/** Reasons under the names that pi has for them. */
const SAME: { readonly [reason: string]: string } = {
  end_turn: 'stop',
  completed: 'stop',
  max_tokens: 'length',
  max_output_tokens: 'length',
  model_context_window_exceeded: 'length',
}

function itemReason({ status, incomplete_details }: JsonObject): string | undefined {
  return status === 'incomplete' && isObject(incomplete_details)
    ? stringOf(incomplete_details.reason)
    : stringOf(status)
}

/** Anthropic and pi count what came from a cache apart; the others count it in. */
function promptOf(usage: JsonObject): number | null {
  const whole = numberOf(usage.prompt_tokens) ?? numberOf(usage.inputTokens)
  if (whole !== undefined) return whole
  const input = numberOf(usage.input) ?? numberOf(usage.input_tokens)
  if (input === undefined) return null
  const cached = [
    usage.cacheRead,
    usage.cacheWrite,
    usage.cache_read_input_tokens,
    usage.cache_creation_input_tokens,
  ]
  return cached.reduce((sum: number, value) => sum + (numberOf(value) ?? 0), input)
}
