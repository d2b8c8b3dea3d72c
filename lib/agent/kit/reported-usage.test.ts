import { expect, test } from 'vitest'
import { ContextOptionError } from './option-error'
import { readReportedUsage } from './reported-usage'

test.each([
  [
    'Anthropic, which counts what was cached apart',
    { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 7 },
    { prompt: 117, output: 5, cacheRead: 100, cacheWrite: 7 },
  ],
  [
    'OpenAI Chat Completions',
    {
      prompt_tokens: 30,
      completion_tokens: 4,
      total_tokens: 34,
      prompt_tokens_details: { cached_tokens: 20 },
    },
    { prompt: 30, output: 4, cacheRead: 20, cacheWrite: 0 },
  ],
  [
    'OpenAI Responses, which counts it in',
    { input_tokens: 30, output_tokens: 4, total_tokens: 34, input_tokens_details: { cached_tokens: 20 } },
    { prompt: 30, output: 4, cacheRead: 20, cacheWrite: 0 },
  ],
  [
    'LangChain',
    {
      input_tokens: 30,
      output_tokens: 4,
      total_tokens: 34,
      input_token_details: { cache_read: 8, cache_creation: 2 },
    },
    { prompt: 30, output: 4, cacheRead: 8, cacheWrite: 2 },
  ],
  [
    'the AI SDK, as generateText answers it',
    { inputTokens: 50, outputTokens: 6, totalTokens: 56, cachedInputTokens: 40 },
    { prompt: 50, output: 6, cacheRead: 40, cacheWrite: 0 },
  ],
  [
    'the AI SDK, which names what was cached in separate details',
    {
      ...{ inputTokens: 50, outputTokens: 6, cachedInputTokens: 1 },
      inputTokenDetails: { noCacheTokens: 10, cacheReadTokens: 35, cacheWriteTokens: 5 },
    },
    { prompt: 50, output: 6, cacheRead: 35, cacheWrite: 5 },
  ],
  [
    'the AI SDK, as its models answer it',
    {
      inputTokens: { total: 50, noCache: 10, cacheRead: 35, cacheWrite: 5 },
      outputTokens: { total: 6, text: 6, reasoning: undefined },
    },
    { prompt: 50, output: 6, cacheRead: 35, cacheWrite: 5 },
  ],
  ['plain', { prompt: 9, output: 1 }, { prompt: 9, output: 1, cacheRead: 0, cacheWrite: 0 }],
  [
    'pi',
    { input: 9, output: 1, cacheRead: 3, cacheWrite: 2 },
    { prompt: 14, output: 1, cacheRead: 3, cacheWrite: 2 },
  ],
])('usage of %s', (_, usage, counts) => {
  expect(readReportedUsage(usage)).toEqual(counts)
})

test('what a provider does not count is unknown, and not zero', () => {
  expect(readReportedUsage({ inputTokens: undefined, outputTokens: undefined })).toMatchObject({
    prompt: null,
    output: null,
  })
  expect(readReportedUsage({ prompt_tokens: 0, completion_tokens: 0 }).prompt).toBeNull()
  expect(
    readReportedUsage({ input_tokens: null, output_tokens: 5, cache_read_input_tokens: 100 }).prompt,
  ).toBeNull()
  expect(
    readReportedUsage({ input_tokens: 10, output_tokens: 5, cache_read_input_tokens: null }),
  ).toMatchObject({ prompt: 10, cacheRead: 0 })
})

test('another shape is refused by the names that it has, and a count that is none by its value', () => {
  expect(() => readReportedUsage({ tokens: 5 })).toThrow(
    /an object with tokens, and no usage that is known\. Known are AI SDK/,
  )
  expect(() => readReportedUsage(null)).toThrow(ContextOptionError)
  expect(() => readReportedUsage({ id: 'x', usage: { prompt_tokens: 1 } })).toThrow(/Give its field `usage`/)
  expect(() => readReportedUsage({ prompt: Number.NaN, output: 1 })).toThrow(/NaN for the tokens of prompt/)
  expect(() => readReportedUsage({ prompt: -1, output: 1 })).toThrow(/-1 for the tokens of prompt/)
  expect(() => readReportedUsage({ prompt: '12' })).toThrow(/"12"/)
})

test.each([
  ['usage', { id: 'x', usage: { prompt_tokens: 1 } }],
  ['usage.prompt', { prompt: Number.POSITIVE_INFINITY, output: 1 }],
  ['usage.output', { prompt: 1, output: '1' }],
  ['usage.cacheRead', { input: 1, output: 1, cacheRead: -1 }],
  ['usage.cacheWrite', { input: 1, output: 1, cacheWrite: true }],
])('what is refused is named: %s', (option, usage) => {
  expect(() => readReportedUsage(usage)).toThrow(expect.objectContaining({ option }))
})
