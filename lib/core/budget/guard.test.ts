import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../policy/default-policy'
import type { Policy } from '../policy/policy'
import { guardWarning, guardWindow, policyWindow } from './guard'

const withWindow = (patch: Partial<Policy['window']>): Policy => ({
  ...DEFAULT_POLICY,
  window: { ...DEFAULT_POLICY.window, ...patch },
})

describe('A8: the window a policy works with', () => {
  it('is named by what was read where a cap is as large, and never by a model that is not known', () => {
    const index = { index: { tokens: 100_000, model: null } }
    expect(policyWindow(withWindow({ cap: 100_000 }), index, 'm').source).toBe('index')
    expect(policyWindow(withWindow({ byModel: { null: 5_000 } }), index, null).tokens).toBe(100_000)
  })
})

describe('A9: what is said of a small window', () => {
  const said = (tokens: number) => {
    const window = { tokens, uncapped: tokens }
    return guardWarning(guardWindow(DEFAULT_POLICY, window), tokens)
  }

  it('names its size, the line and the knobs; of a window that is large enough there is nothing to say', () => {
    expect(said(15_999)).toMatch(/15999 tokens is below 16000, where a run is refused .*window\.blockBelow/)
    expect(said(16_000)).toMatch(/16000 tokens is below 32000: it is small .*window\.warnBelow/)
    expect(said(32_000)).toBeNull()
  })
})
