import type { Tokens } from '../units/units'

/**
 * What providers say when a prompt does not fit. Each row: a part of the message that no other failure has, and
 * whose it is. Numbers are left out, since every provider puts its own in.
 */
const OVERFLOW_PHRASES: readonly (readonly [RegExp, string])[] = [
  [/prompt is too long/i, 'Anthropic, Fireworks'],
  [/input length and .?max_tokens.? exceed context limit/i, 'Anthropic, with the room for the answer'],
  [/request_too_large|request exceeds the maximum size/i, 'Anthropic, in bytes'],
  [/input is too long/i, 'Bedrock'],
  [
    /exceed(s|ed|ing)? ((the|your|its) )?(model('s)? )?(maximum )?context (window|length|limit|size)/i,
    'OpenAI',
  ],
  [/context[ _-]length[ _-]exceeded/i, 'OpenAI and compatible, as a code'],
  [/ContextWindowExceeded/, 'LiteLLM'],
  [/input token count.{0,80}(exceeds|only supports up to)/i, 'Google'],
  [/maximum (prompt|context) length (is|of) \d/i, 'xAI, OpenRouter, DeepSeek, vLLM'],
  [/context length is only \d/i, 'vLLM'],
  [/longer than the (maximum model length|model('s)? context length)/i, 'vLLM, SGLang'],
  [/inputs.? tokens \+ .?max_new_tokens.? must be <=/i, 'Text Generation Inference, Together'],
  [/range of input length should be/i, 'Qwen'],
  [/reduce the length of (the|your) (messages|prompt|input)/i, 'Groq'],
  [/exceeds the limit of \d+|max_prompt_tokens_exceeded/i, 'Copilot, Cohere'],
  [/exceeds the available context|context size (has been )?exceeded/i, 'llama.cpp'],
  [/greater than the context length/i, 'LM Studio'],
  [/context window exceeds/i, 'MiniMax'],
  [/exceeded model token limit/i, 'Kimi'],
  [/too large for model with/i, 'Mistral'],
  [/model_context_window_exceeded|prompt exceeds max length/i, 'Z.ai'],
  [/prompt too long/i, 'Ollama'],
  [/(too many (input )?tokens|token limit (was )?exceeded)/i, 'others'],
  [/context overflow/i, 'OpenClaw'],
  [/^4(00|13)\b.{0,20}\(no body\)/i, 'Cerebras'],
  [/\b413\b.{0,20}(request entity|payload|content) too large/i, 'gateways, in bytes'],
]

/** Failures that pass without help, and that share words with the ones above. */
const PASSING =
  /rate.?limit|throttl|too many requests|quota|overloaded|service unavailable|per (minute|day|hour)/i

/** The status of a limit that passes; but not where these digits count tokens, alone or in a larger number. */
const STATUS_429 = /(?<![\d,.])429(?![\d,.]*\d)(?! tokens?\b)/

/** Error texts are short; what is longer is examined from its beginning. */
const MAX_CHARS = 4_000

/** Whether an error text of a provider says that the prompt was too long for the model. */
export function isOverflowError(message: string): boolean {
  const text = message.slice(0, MAX_CHARS)
  return (
    !PASSING.test(text) && !STATUS_429.test(text) && OVERFLOW_PHRASES.some(([phrase]) => phrase.test(text))
  )
}

/**
 * Whether a call that claims to have gone well overflowed in fact: some providers cut what they were sent, and report
 * more than the window holds, or an answer of nothing behind a full window.
 */
export function isSilentOverflow(
  call: { readonly stopReason: string | null; readonly prompt: number; readonly output: number },
  window: Tokens,
): boolean {
  if (call.stopReason === 'stop') return call.prompt > window
  return call.stopReason === 'length' && call.output === 0 && call.prompt >= window * FULL
}

const FULL = 0.99
