import { calcPrice } from '@pydantic/genai-prices'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Usage } from '../transcript/entry'
import { costOf, type PricedCall, priceOf } from './prices'

const usage = (parts: Partial<Usage>): Usage => ({
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  costUsd: null,
  ...parts,
})

const AT = Date.parse('2026-09-23T12:00:00Z')
const by = (provider: string | null, model: string | null, at: number | null = AT): PricedCall => ({
  provider,
  model,
  at,
})
const UNKNOWN = { value: null, basis: 'unknown' }

describe('X6 B7: the cost of a call', () => {
  it('is what the transcript says, where it says something, and no list price beside it', () => {
    const paid = usage({ input: 1_000_000, costUsd: 0.0421 })
    const recorded = { recorded: { value: 0.0421, basis: 'measured' }, listed: UNKNOWN, source: null }
    expect(costOf(paid, by('anthropic', 'claude-sonnet-4-5'))).toEqual(recorded)
    expect(costOf(paid, by(null, null))).toEqual(recorded)
  })

  it('is else a list price, said to be one, each kind of token at its own', () => {
    const call = usage({ input: 1e4, output: 1e3, cacheRead: 2e4, cacheWrite: 4e3 })
    const { recorded, listed } = costOf(call, by('anthropic', 'claude-opus-4-5'))
    expect(recorded).toEqual(UNKNOWN)
    expect(listed.basis).toBe('estimated')
    expect(listed.value).toBeCloseTo((1e4 * 5 + 1e3 * 25 + 2e4 * 0.5 + 4e3 * 6.25) / 1e6, 9)
  })

  it('is at the operator’s own prices before those of the list, and says so', () => {
    const own = {
      'claude-opus-4-5': { input: 2, output: 4 },
      'bedrock/claude-opus-4-5': { input: 1, output: 3, cacheRead: 0.5, cacheWrite: 2, cacheWrite1h: 7 },
      'harbour/own-model': { input: 9, output: 9 },
    }
    const call = usage({ input: 1e6, output: 1e6, cacheRead: 1e6, cacheWrite: 2e6, cacheWrite1h: 1e6 })
    const at = (provider: string | null, model: string) => {
      const { listed, source } = costOf(call, by(provider, model), own)
      return [listed.value, source]
    }
    expect(at('bedrock', 'claude-opus-4-5')).toEqual([1 + 3 + 0.5 + 2 + 7, 'settings'])
    // What has no price in the settings costs what the tokens cost that it is a part of.
    expect(at('anthropic', 'claude-opus-4-5')).toEqual([2 * 4 + 4, 'settings'])
    expect(at('harbour', 'own-model')).toEqual([9 * 5, 'settings'])
    expect(at('elsewhere', 'own-model')).toEqual([null, null])
    expect(at('anthropic', 'claude-haiku-4-5')[1]).toBe('list')
    expect(at(null, 'constructor')).toEqual([null, null])
    const paid = usage({ input: 1e6, costUsd: 0.5 })
    expect(costOf(paid, by('harbour', 'own-model'), own)).toMatchObject({
      recorded: { value: 0.5, basis: 'measured' },
      listed: UNKNOWN,
      source: null,
    })
    expect(priceOf('anthropic/claude-opus-4-5', 0, own)).toEqual({ input: 2, output: 4, source: 'settings' })
  })

  it('charges what stays in the cache for an hour at the price of that', () => {
    const cost = (parts: Partial<Usage>) =>
      costOf(usage(parts), by('anthropic', 'claude-opus-4-5')).listed.value
    expect(cost({ cacheWrite: 1e6 })).toBeCloseTo(6.25, 9)
    expect(cost({ cacheWrite: 1e6, cacheWrite1h: 1e6 })).toBeCloseTo(10, 9)
    expect(cost({ cacheWrite: 1e6, cacheWrite1h: 4e5 })).toBeCloseTo(0.6 * 6.25 + 0.4 * 10, 9)
  })

  it('charges the whole of a long prompt at the price of long prompts, its output too', () => {
    const cost = (input: number, cacheRead: number) =>
      costOf(usage({ input, cacheRead, output: 1_000 }), by('google', 'gemini-2.5-pro')).listed.value
    expect(cost(200_000, 0)).toBeCloseTo((200_000 * 1.25 + 1_000 * 10) / 1e6, 9)
    expect(cost(200_001, 0)).toBeCloseTo((200_001 * 2.5 + 1_000 * 15) / 1e6, 9)
    expect(cost(1, 200_000)).toBeCloseTo((1 * 2.5 + 200_000 * 0.25 + 1_000 * 15) / 1e6, 9)
  })

  it('charges what was sent, where a provider reports its input less the cache', () => {
    const cost = costOf(
      usage({ input: -400, cacheRead: 10_400, output: 0 }),
      by('anthropic', 'claude-opus-4-5'),
    )
    expect(cost.listed.value).toBeCloseTo((10_000 * 0.5) / 1e6, 9)
  })

  it('takes the price of the day of the call', () => {
    const cost = (at: string) =>
      costOf(usage({ input: 1e6 }), by('deepseek', 'deepseek-chat', Date.parse(at))).listed.value
    expect(cost('2026-09-01T16:29:59Z')).toBeCloseTo(0.27, 9)
    expect(cost('2026-09-01T16:30:00Z')).toBeCloseTo(0.135, 9)
    const o3 = (at: string) => costOf(usage({ input: 1e6 }), by('openai', 'o3', Date.parse(at))).listed.value
    expect([o3('2025-06-09T23:59:59Z'), o3('2025-06-10T00:00:00Z')]).toEqual([10, 2])
  })

  it('trap: an unknown price is unknown, never 0 and never that of another host', () => {
    for (const [provider, model] of [
      [null, null],
      [null, ''],
      [null, 'fake-1'],
      [null, 'glm-5:cloud'],
      ['ollama', 'llama3.2:3b'],
      ['ollama', 'gpt-oss:20b'],
      ['my-proxy', 'claude-opus-4-5'],
      ['anthropic', 'a-model-of-2031'],
      ['__proto__', 'constructor'],
    ] as const) {
      const { recorded, listed } = costOf(usage({ input: 1e6 }), by(provider, model))
      expect([provider, model, recorded, listed]).toEqual([provider, model, UNKNOWN, UNKNOWN])
    }
  })

  it('is that of the list itself, for any usage', () => {
    const models = [
      ['anthropic', 'claude-sonnet-4-6'],
      ['anthropic', 'claude-opus-4-5'],
      ['openai', 'gpt-5.3-codex'],
      ['google', 'gemini-2.5-pro'],
      ['minimax', 'MiniMax-M2.5'],
      ['deepseek', 'deepseek-chat'],
    ] as const
    const tokens = fc.nat(400_000)
    fc.assert(
      fc.property(
        fc.constantFrom(...models),
        tokens,
        tokens,
        tokens,
        tokens,
        fc.nat(100),
        (m, i, r, w, o, share) => {
          const [providerId, model] = m
          const hour = Math.floor((w * share) / 100)
          const call = usage({ input: i, cacheRead: r, cacheWrite: w, cacheWrite1h: hour, output: o })
          const listed = calcPrice(
            {
              input_tokens: i + r + w,
              cache_read_tokens: r,
              cache_write_tokens: w,
              cache_write_1h_tokens: hour,
              output_tokens: o,
            },
            model,
            { providerId, timestamp: new Date(AT) },
          )
          expect(costOf(call, by(providerId, model)).listed.value).toBeCloseTo(
            i + r + w + o === 0 ? 0 : (listed?.total_price ?? Number.NaN),
            6,
          )
        },
      ),
    )
  })
})

describe('priceOf', () => {
  it('takes a model alone or after its provider', () => {
    expect(priceOf('anthropic/claude-opus-4-5')).toEqual({ input: 5, output: 25, source: 'list' })
    expect(priceOf('claude-opus-4-5')).toEqual({ input: 5, output: 25, source: 'list' })
    expect(priceOf('openrouter/anthropic/claude-sonnet-4.5', 250_000)).toEqual({
      input: 6,
      output: 22.5,
      source: 'list',
    })
    expect(priceOf('ollama/qwen3:8b')).toBeNull()
    expect(priceOf('')).toBeNull()
  })
})
