import { describe, expect, it } from 'vitest'
import { answerFacts } from './answer-facts'

const facts = (answer: unknown) => {
  const { stopReason, prompt, output, error } = answerFacts(answer)
  return [stopReason, prompt, output, error]
}

describe('D1: what an answer says of its request', () => {
  it.each<[string, unknown, readonly unknown[]]>([
    [
      'pi',
      { stopReason: 'toolUse', usage: { input: 10, output: 2, cacheRead: 30, cacheWrite: 5 } },
      ['toolUse', 45, 2, null],
    ],
    ['pi, failed', { stopReason: 'error', errorMessage: 'too long' }, ['error', null, null, 'too long']],
    ['pi, failed without words', { stopReason: 'error' }, ['error', null, null, null]],
    ['words without a failure', { stopReason: 'stop', errorMessage: 'x' }, ['stop', null, null, null]],
    [
      'Anthropic',
      {
        stop_reason: 'end_turn',
        usage: {
          input_tokens: 10,
          output_tokens: 2,
          cache_read_input_tokens: 30,
          cache_creation_input_tokens: 5,
        },
      },
      ['stop', 45, 2, null],
    ],
    ['Anthropic, full', { stop_reason: 'model_context_window_exceeded' }, ['length', null, null, null]],
    ['Anthropic, cut', { stop_reason: 'max_tokens' }, ['length', null, null, null]],
    [
      'Chat Completions',
      { choices: [{ finish_reason: 'length' }], usage: { prompt_tokens: 40, completion_tokens: 3 } },
      ['length', 40, 3, null],
    ],
    [
      'Chat Completions without a choice',
      { choices: [], usage: { prompt_tokens: 40 } },
      [null, 40, null, null],
    ],
    ['choices that are none', { choices: { 0: { finish_reason: 'length' } } }, [null, null, null, null]],
    [
      'Responses',
      { status: 'completed', usage: { input_tokens: 40, output_tokens: 3 } },
      ['stop', 40, 3, null],
    ],
    [
      'Responses, cut',
      { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      ['length', null, null, null],
    ],
    ['Responses, cut without a reason', { status: 'incomplete' }, ['incomplete', null, null, null]],
    [
      'Responses, failed',
      { status: 'failed', incomplete_details: { reason: 'x' } },
      ['failed', null, null, null],
    ],
    ['AI SDK', { finishReason: 'stop', usage: { inputTokens: 40, outputTokens: 3 } }, ['stop', 40, 3, null]],
    ['zeros', { usage: { input: 0, output: 0 } }, [null, 0, 0, null]],
    ['nothing', {}, [null, null, null, null]],
    ['no object', 'stop', [null, null, null, null]],
    ['nothing at all', null, [null, null, null, null]],
    ['usage that is none', { usage: 'x' }, [null, null, null, null]],
  ])('%s', (_name, answer, expected) => {
    expect(facts(answer)).toEqual(expected)
  })
})
