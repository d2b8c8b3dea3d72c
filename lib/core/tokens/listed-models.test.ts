import { describe, expect, it } from 'vitest'
import locked from '../../../package-lock.json'
import { LIST_EDITION } from './list-edition'
import { listedMaker, listedWindow } from './listed-models'

describe('B7: the list of models', () => {
  it('is the edition that is installed', () => {
    const installed = locked.packages['node_modules/@pydantic/genai-prices'].version
    expect(LIST_EDITION).toMatchObject({
      version: installed,
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    })
  })

  it.each([
    ['anthropic', 'claude-opus-4-5', 200_000],
    ['anthropic', 'claude-opus-4-6', 1_000_000],
    ['openai-codex', 'gpt-5.3-codex', 400_000],
    ['anthropic', 'claude-sonnet-4-5[1m]', 1_000_000],
    ['my-proxy', 'claude-opus-4-5', 200_000],
    ['my-proxy', 'anthropic/claude-opus-4-5', 200_000],
    ['zai', 'glm-5', 200_000],
    [null, 'gpt-4o', 128_000],
  ])('knows the window of %s/%s', (provider, model, tokens) => {
    expect(listedWindow(provider, model)).toBe(tokens)
  })

  it.each([
    ['ollama', 'llama3.2:3b'],
    ['ollama', 'deepseek-r1:14b'],
    [null, 'a-model-of-2031'],
    [null, null],
    ['__proto__', 'constructor'],
    ['anthropic', ''],
  ])('does not make one up for %s/%s', (provider, model) => {
    expect(listedWindow(provider, model)).toBeNull()
  })

  it.each([
    ['claude-sonnet-5', 'anthropic'],
    ['gpt-5.1', 'openai'],
    ['harbour-7b', null],
  ])('knows whose model %s is', (model, maker) => {
    expect(listedMaker(model)).toBe(maker)
  })

  it('trap: any number of names in a store is answered, and the first ones still are', () => {
    for (let i = 0; i < 3_000; i++) expect(listedWindow('x', `made-up-${i}`)).toBeNull()
    expect(listedWindow('anthropic', 'claude-opus-4-5')).toBe(200_000)
  })
})
