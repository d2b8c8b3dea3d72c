/**
 * What providers say when a prompt does not fit (D1). Each row: a part of the message that no other failure has, and
 * whose it is. Numbers are left out, since every provider puts its own in.
 */
const OVERFLOW_PHRASES: readonly (readonly [RegExp, string])[] = [
  [/prompt is too long/i, 'Anthropic'],
  [/request_too_large|request exceeds the maximum size/i, 'Anthropic, in bytes'],
  [/input is too long for/i, 'Bedrock'],
  [/exceed(s|ed|ing)? (the|your|its) (model('s)? )?context (window|length|limit|size)/i, 'OpenAI'],
  [/context[ _-]length[ _-]exceeded/i, 'OpenAI and compatible, as a code'],
  [/input token count.{0,80}exceeds/i, 'Google'],
  [/maximum (prompt|context) length (is|of) \d/i, 'xAI, OpenRouter, vLLM'],
  [/reduce the length of (the|your) (messages|prompt|input)/i, 'Groq'],
  [/exceeds the limit of \d+/i, 'Copilot'],
  [/exceeds the available context/i, 'llama.cpp'],
  [/greater than the context length/i, 'LM Studio'],
  [/context window exceeds/i, 'MiniMax'],
  [/exceeded model token limit/i, 'Kimi'],
  [/too large for model with/i, 'Mistral'],
  [/model_context_window_exceeded/i, 'Z.ai'],
  [/prompt too long/i, 'Ollama'],
  [/(too many (input )?tokens|token limit (was )?exceeded)/i, 'others'],
  [/context overflow/i, 'OpenClaw'],
  [/^4(00|13)\b.{0,20}\(no body\)/i, 'Cerebras'],
]

/** Failures that pass by themselves, and that share words with the ones above. */
const PASSING =
  /rate.?limit|throttl|too many requests|\b429\b|quota|overloaded|service unavailable|per (minute|day|hour)/i

/** Error texts are short; what is longer is looked at from its beginning. */
const MAX_CHARS = 4_000

/** Whether an error text of a provider says that the prompt was too long for the model (D1). */
export function isOverflowError(message: string): boolean {
  const text = message.slice(0, MAX_CHARS)
  return !PASSING.test(text) && OVERFLOW_PHRASES.some(([phrase]) => phrase.test(text))
}

/**
 * Whether a call that claims to have gone well overflowed in fact: some providers cut what they were sent, and report
 * more than the window holds, or an answer of nothing behind a full window.
 */
export function isSilentOverflow(
  call: { readonly stopReason: string | null; readonly prompt: number; readonly output: number },
  window: number,
): boolean {
  if (call.stopReason === 'stop') return call.prompt > window
  return call.stopReason === 'length' && call.output === 0 && call.prompt >= window * FULL
}

const FULL = 0.99
