import { expect, test } from 'vitest'
import { isOverflowError, isSilentOverflow } from './overflow-error'

test.each([
  'prompt is too long: 213462 tokens > 200000 maximum',
  '413 {"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
  'Your input exceeds the context window of this model',
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.",
  'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)',
  "This model's maximum prompt length is 131072 but the request contains 537812 tokens",
  'Please reduce the length of the messages or completion',
  'the request exceeds the available context size, try increasing it',
  'tokens to keep from the initial prompt is greater than the context length',
  'prompt token count of 140000 exceeds the limit of 128000',
  'invalid params, context window exceeds limit',
  'Your request exceeded model token limit: 262144 (requested: 280000)',
  'Prompt contains 40000 tokens and is too large for model with 32768 maximum context length',
  'prompt too long; exceeded max context length by 120 tokens',
  'error code: context_length_exceeded',
  '400 status code (no body)',
  'input length and `max_tokens` exceed context limit: 195083 + 8192 > 200000, decrease input length or `max_tokens` and try again',
  'input exceeds model context window',
  '413 Request Entity Too Large',
  '<html><head><title>413 Request Entity Too Large</title></head></html>',
  '413 Payload Too Large',
  'litellm.ContextWindowExceededError: litellm.BadRequestError: OpenAIException',
  'prompt is too long: 200,429 tokens > 200,000 maximum',
  'prompt is too long: 429 tokens > 400 maximum',
  'Prompt exceeds max length',
  'Unable to submit request because the input token count is 1100000 but the model only supports up to 1048576',
  'ValidationException: Input is too long for requested model.',
  'The model returned the following errors: Input is too long',
  'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
  'the input length exceeds the context length',
  'request (8430 tokens) exceeds the available context size (4096 tokens), try increasing it',
  "You passed 4097 input tokens and requested 1 output tokens. However, the model's context length is only 4096 tokens",
  'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
  "Input length (5000) exceeds model's maximum context length (4096).",
  "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
  'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens',
  'InvalidParameter: Range of input length should be [1, 129024]',
  'model_max_prompt_tokens_exceeded',
])('D1: %j is an overflow', (message) => {
  expect(isOverflowError(message)).toBe(true)
})

test.each([
  '429 Too Many Requests',
  'Rate limit reached: too many tokens per minute',
  'ThrottlingException: Too many tokens, please wait before trying again.',
  '{"error":{"code":429,"message":"Resource has been exhausted"}}',
  'Request failed with status code 429: too many tokens',
  'HTTP 429 prompt is too long for your tier, retry later',
  'Request too large for model `llama` on tokens per minute (TPM): Limit 6000, Requested 9000',
  'max_tokens: 64001 > 64000, which is the maximum allowed number of output tokens',
  'image exceeds 5 MB maximum: 5316852 bytes > 5242880 bytes',
  'overloaded_error: Overloaded',
  'invalid x-api-key',
  'connect ECONNREFUSED',
  '',
])('D1: %j is none', (message) => {
  expect(isOverflowError(message)).toBe(false)
})

test('D1: providers that overflow without a word', () => {
  expect(isSilentOverflow({ stopReason: 'stop', prompt: 200_001, output: 9 }, 200_000)).toBe(true)
  expect(isSilentOverflow({ stopReason: 'length', prompt: 199_000, output: 0 }, 200_000)).toBe(true)
  expect(isSilentOverflow({ stopReason: 'length', prompt: 199_000, output: 5 }, 200_000)).toBe(false)
  expect(isSilentOverflow({ stopReason: 'stop', prompt: 150_000, output: 5 }, 200_000)).toBe(false)
})

test('D1: without a word: above the window, or no answer behind 99 % of it, not at or below', () => {
  const silent = (stopReason: string | null, prompt: number, output: number) =>
    isSilentOverflow({ stopReason, prompt, output }, 1000)
  expect([silent('stop', 1001, 0), silent('stop', 1000, 0)]).toEqual([true, false])
  expect([silent('length', 990, 0), silent('length', 989, 0), silent('length', 990, 1)]).toEqual([
    true,
    false,
    false,
  ])
  expect([silent('toolUse', 2000, 0), silent(null, 2000, 0)]).toEqual([false, false])
})

test('D1: of a long error its first 4,000 characters count', () => {
  const phrase = 'prompt is too long'
  expect(isOverflowError(`${' '.repeat(4000 - phrase.length)}${phrase}`)).toBe(true)
  expect(isOverflowError(`${' '.repeat(4001 - phrase.length)}${phrase}`)).toBe(false)
  expect(isOverflowError(`${phrase}${' '.repeat(4000)}rate limit`)).toBe(true)
})
