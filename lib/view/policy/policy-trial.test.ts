import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { callColumns } from '../../testing/builders/call-columns'
import { reduceFrames } from '../charts/frames-series'
import { parsePolicyLink, policyLink } from './policy-link'
import { crossingsIn, parseTrialBase, trialChanges, trialPolicy } from './policy-trial'

describe('X8 a policy tried on a session', () => {
  it('begins from the policy in force or a preset, and changes nothing of either', () => {
    const tried = trialPolicy(DEFAULT_POLICY, 'memfas', { 'lines.compact.at': 0.6 })
    expect(tried.lines.compact).toEqual({ enabled: true, at: 0.6 })
    expect(tried.lines.slide.enabled).toBe(false)
    expect(DEFAULT_POLICY.lines.compact.at).toBe(0.5)
    expect(trialPolicy(DEFAULT_POLICY, null, {})).toEqual(DEFAULT_POLICY)
    expect([parseTrialBase('vs7'), parseTrialBase('effective'), parseTrialBase('x')]).toEqual([
      'vs7',
      'effective',
      null,
    ])
  })

  it('is taken to the policy screen by its address', () => {
    const tried = trialPolicy(DEFAULT_POLICY, 'effective', {
      'lines.compact.at': 0.6,
      'reserve.tokens': 20_000,
    })
    expect(trialChanges(DEFAULT_POLICY, tried)).toEqual({ 'lines.compact.at': 0.6 })
    const { searchParams } = new URL(policyLink(trialChanges(DEFAULT_POLICY, tried)), 'http://localhost')
    expect(parsePolicyLink(searchParams.getAll('set'))).toEqual({ 'lines.compact.at': 0.6 })
  })

  it('says how often the session rose through a line', () => {
    const calls = callColumns([10, 60, null, 40, 55, 70].map((total) => ({ total })))
    const series = reduceFrames(calls, { from: 1, to: 6 })
    expect([crossingsIn(series, 50), crossingsIn(series, 60), crossingsIn(series, 80)]).toEqual([2, 2, 0])
  })
})
