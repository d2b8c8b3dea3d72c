import { describe, expect, it } from 'vitest'
import type { Usage } from '../transcript/entry'
import { costOf, PRICES_DATE, priceOf } from './prices'

const usage = (parts: Partial<Usage>): Usage => ({
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  costUsd: null,
  ...parts,
})

describe('X6: the cost of a call', () => {
  it('is what the transcript says, where it says something', () => {
    const paid = usage({ input: 1_000_000, costUsd: 0.0421 })
    expect(costOf(paid, 'claude-sonnet-4-5')).toEqual({ value: 0.0421, basis: 'measured' })
    expect(costOf(paid, null)).toEqual({ value: 0.0421, basis: 'measured' })
  })

  it('is else estimated from list prices, each kind of token at its own', () => {
    const call = usage({ input: 1e6, output: 1e5, cacheRead: 2e6, cacheWrite: 4e5 })
    const cost = costOf(call, 'claude-sonnet-4-6')
    expect(cost.basis).toBe('estimated')
    expect(cost.value).toBeCloseTo(3 + 1.5 + 0.6 + 1.5)
  })

  it('charges cached input as input where it has no price of its own', () => {
    expect(costOf(usage({ cacheWrite: 1e6 }), 'gpt-5.3-codex').value).toBeCloseTo(1.75)
    expect(costOf(usage({ cacheRead: 1e6 }), 'mistral-large-latest').value).toBeCloseTo(0.5)
  })

  it('trap: an unknown price is unknown, never 0', () => {
    for (const model of [null, '', 'fake-1', 'llama3.2:3b', 'qwen3:8b', 'glm-5:cloud', 'a-model-of-2031']) {
      expect(costOf(usage({ input: 1e6 }), model)).toEqual({ value: null, basis: 'unknown' })
    }
    expect(costOf(usage({ input: 1e6, costUsd: 0 }), 'fake-1').basis).toBe('unknown')
  })
})

describe('priceOf', () => {
  it.each([
    ['claude-opus-4-5-20251101', 5, 25],
    ['anthropic/claude-opus-4-6', 5, 25],
    ['anthropic/claude-opus-4.5', 5, 25],
    ['claude-opus-4-1', 15, 75],
    ['claude-opus-4-20250514', 15, 75],
    ['claude-3-opus-20240229', 15, 75],
    ['claude-sonnet-4-20250514', 3, 15],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 3, 15],
    ['claude-3-7-sonnet-latest', 3, 15],
    ['claude-haiku-4-5', 1, 5],
    ['claude-3-5-haiku-latest', 0.8, 4],
    ['gpt-5', 1.25, 10],
    ['gpt-5-codex', 1.25, 10],
    ['gpt-5.1-codex-max', 1.25, 10],
    ['gpt-5.1-codex-mini', 0.25, 2],
    ['gpt-5-nano', 0.05, 0.4],
    ['gpt-5.3-codex', 1.75, 14],
    ['gpt-5.4', 2.5, 15],
    ['gpt-4o-mini', 0.15, 0.6],
    ['o3', 2, 8],
    ['gemini-2.5-flash-lite', 0.1, 0.4],
    ['gemini-3-pro-preview', 2, 12],
    ['grok-4', 3, 15],
    ['grok-4-1-fast', 0.2, 0.5],
    ['MiniMax-M2.5', 0.3, 1.2],
    ['glm-5', 1, 3.2],
    ['z-ai/glm-4.7', 0.6, 2.2],
    ['kimi-k2-thinking', 0.6, 2.5],
    ['deepseek-chat', 0.28, 0.42],
  ])('knows %s', (model, input, output) => {
    expect(priceOf(model)?.price).toMatchObject({ input, output })
  })

  it.each([
    'claude-opus-4-9',
    'claude-sonnet-4-8',
    'claude-sonnet-6',
    'gpt-5.4-mini',
    'gpt-5.5',
    'gpt-6',
    'o3-deep-research',
    'glm-5.2',
    'grok-4.20',
    'kimi-k2-turbo',
  ])('does not take %s for a model that it resembles', (model) => {
    expect(priceOf(model)).toBeNull()
  })

  it('is less sure of models that many hosts sell', () => {
    expect(priceOf('glm-5')?.errorPct).toBeGreaterThan(priceOf('gpt-5')?.errorPct ?? Number.NaN)
  })

  it('dates its prices', () => {
    expect(PRICES_DATE).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  })
})
