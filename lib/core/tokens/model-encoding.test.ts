import { describe, expect, it } from 'vitest'
import { encodingOf } from './model-encoding'

describe('B2 the encoding of a model', () => {
  it.each([
    ['gpt-5', 'o200k_base'],
    ['openai/gpt-4o-2024-08-06', 'o200k_base'],
    ['GPT-4.1-mini', 'o200k_base'],
    ['o3-mini', 'o200k_base'],
    ['gpt-oss-120b', 'o200k_base'],
    ['gpt-4-turbo', 'cl100k_base'],
    ['gpt-3.5-turbo-0125', 'cl100k_base'],
  ])('is its own for %s', (model, encoding) => {
    expect(encodingOf('openai', model)).toEqual({ encoding, own: true, factor: 1 })
  })

  it.each(['claude-sonnet-4-5', 'gemini-3-pro', 'gpt-6', 'o1mega', 'gpt-4ever', '', null])(
    'is another one for %s',
    (model) => {
      expect(encodingOf(null, model)).toMatchObject({ encoding: 'o200k_base', own: false })
    },
  )

  it('knows that Claude makes more tokens of the same text', () => {
    expect(encodingOf('anthropic', 'claude-opus-4-8').factor).toBeGreaterThan(1.1)
  })
})
