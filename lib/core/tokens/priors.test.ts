import { describe, expect, it } from 'vitest'
import { FIXED_PRIOR, priorFor } from './priors'

describe('priors', () => {
  it.each([
    ['anthropic', 'claude-sonnet-4-5', 1.22],
    ['amazon-bedrock', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', 1.22],
    ['google', 'gemini-2.5-flash', 1.15],
    ['openai-codex', 'gpt-5.3-codex', 1],
    ['zai', 'glm-5', 1],
    [null, null, 1],
  ])('%s %s starts at a factor of %f', (provider, model, factor) => {
    expect(priorFor(provider, model).factor).toBe(factor)
  })

  it('goes by the provider only where the model says nothing', () => {
    expect(priorFor('anthropic', 'default').factor).toBe(1.22)
    expect(priorFor('anthropic-proxy', 'gpt-5').factor).toBe(1)
  })

  it('is never sure', () => {
    for (const model of ['claude-x', 'gpt-x', 'x'])
      expect(priorFor(null, model).errorPct).toBeGreaterThanOrEqual(8)
  })

  it('keeps the fixed part within what the runtimes were seen to send', () => {
    expect(FIXED_PRIOR.pi).toBeGreaterThan(1_600)
    expect(FIXED_PRIOR.pi).toBeLessThan(2_600)
    expect(FIXED_PRIOR.openclaw).toBeGreaterThan(8_000)
    expect(FIXED_PRIOR.openclaw).toBeLessThan(18_000)
  })
})
