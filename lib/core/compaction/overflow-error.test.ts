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
])('D1: %j is an overflow', (message) => {
  expect(isOverflowError(message)).toBe(true)
})

test.each([
  '429 Too Many Requests',
  'Rate limit reached: too many tokens per minute',
  'ThrottlingException: Too many tokens, please wait before trying again.',
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
