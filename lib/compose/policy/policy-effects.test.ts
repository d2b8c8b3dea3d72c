import { describe, expect, test } from 'vitest'
import { faultOf } from '../../core/policy/fault-of'
import { knobPaths } from '../../core/policy/knobs/knob-at'
import { type Effect, outcomes } from '../../testing/policy-effects/effect'
import { FLUSHES_AND_LOGS } from '../../testing/policy-effects/flushes-and-logs'
import { PLANS } from '../../testing/policy-effects/plans'
import { PRUNING } from '../../testing/policy-effects/pruning'
import { RELEVANCE } from '../../testing/policy-effects/relevance'
import { REQUEST_EFFECTS } from '../../testing/policy-effects/requests'
import { SUMMARIES } from '../../testing/policy-effects/summaries'
import { WINDOWS_AND_LINES } from '../../testing/policy-effects/windows-and-lines'

const EFFECTS: readonly Effect[] = [
  ...WINDOWS_AND_LINES,
  ...REQUEST_EFFECTS,
  ...PLANS,
  ...SUMMARIES,
  ...RELEVANCE,
  ...PRUNING,
  ...FLUSHES_AND_LOGS,
]

describe('D14: each knob of the policy changes an outcome', () => {
  test.each(EFFECTS.map((effect) => [effect.path, effect] as const))('%s', async (_path, effect) => {
    for (const value of effect.values) expect(faultOf(effect.path, value)).toBeNull()
    const [first, second] = await outcomes(effect)
    expect(second).not.toBe(first)
  })

  test('a knob that is in none of the tables here is a knob without a proof', () => {
    const isOf = (pattern: string) => {
      const parts = pattern.split('.').map((part) => (part === '*' ? '[^.]+' : part))
      const fits = new RegExp(`^${parts.join('[.]')}$`)
      return EFFECTS.some(({ path }) => fits.test(path))
    }
    expect(knobPaths().filter((path) => !isOf(path))).toEqual([])
  })
})
