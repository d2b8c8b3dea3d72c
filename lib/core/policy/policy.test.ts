import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contradictions } from './check'
import { DEFAULT_POLICY } from './default-policy'
import { faultOf } from './fault-of'
import { knobSchema } from './knobs/knob-schema'
import { allowedAt } from './knobs/knob-words'
import { POLICY_KNOBS } from './knobs/policy-knobs'
import type { PolicyPatch } from './policy'
import { PRESET_NAMES, PRESETS } from './presets'
import { patchAt, resolvePolicy, valueAt } from './resolve'

const policySchema = knobSchema(POLICY_KNOBS)

describe('policy', () => {
  it('the defaults obey their own schema and do not contradict each other', () => {
    expect(policySchema.parse(DEFAULT_POLICY)).toEqual(DEFAULT_POLICY)
    expect(contradictions(DEFAULT_POLICY)).toEqual([])
  })

  it.each(PRESET_NAMES)('preset %s is a valid policy without contradictions', (name) => {
    const { policy } = resolvePolicy([{ level: 'preset', label: name, patch: PRESETS[name] }])
    expect(policySchema.parse(policy)).toEqual(policy)
    expect(contradictions(policy)).toEqual([])
  })

  it('A4 ratios above 1 in sum are an error that names the keys', () => {
    const { policy } = resolvePolicy([
      { level: 'session', label: 's', patch: { budget: { historyRatio: 0.75 } } },
    ])
    const [found] = contradictions(policy)
    expect(found?.severity).toBe('error')
    expect(found?.paths).toContain('budget.historyRatio')
    expect(found?.message).toMatch(/1\.2/)
  })

  it('a keep threshold below the cut-off and a line above the hard limit are errors', () => {
    const errors = (patch: PolicyPatch) =>
      contradictions(resolvePolicy([{ level: 'session', label: 's', patch }]).policy).map((c) => c.paths[0])
    expect(errors({ relevance: { keep: 0.2 } })).toEqual(['relevance.keep'])
    expect(errors({ lines: { compact: { at: 0.95 } } })).toEqual(['lines.compact.at'])
    expect(errors({ lines: { compact: { at: 0.95, enabled: false } } })).toEqual([])
  })

  it('knobs of pruning that undo each other are warned about', () => {
    const paths = (cacheTtl: object) =>
      contradictions(
        resolvePolicy([{ level: 'session', label: 's', patch: { pruning: { cacheTtl } } }]).policy,
      ).map(({ severity, paths: [first] }) => `${severity} ${first}`)
    expect(paths({ softTrimMaxChars: 3000 })).toEqual(['warning pruning.cacheTtl.softTrimHeadChars'])
    expect(paths({ softTrimMaxChars: 3001 })).toEqual([])
    expect(paths({ hardClearRatio: 0.2 })).toEqual(['warning pruning.cacheTtl.hardClearRatio'])
    expect(paths({ hardClearRatio: 0.2, hardClear: false })).toEqual([])
  })

  it('V5 says what is allowed where something else is', () => {
    expect(faultOf('budget.historyRatio', 1.5)).toMatch(/1\.5 is not allowed here: a number from 0 to 1/)
    expect(faultOf('budget.historyRatio', 'half')).toMatch(/^"half" is not allowed .* \(.+\)$/)
    expect(faultOf('window.default', Number.NaN)).not.toBeNull()
    expect(faultOf('lines.compact.at', 0.4)).toBeNull()
    expect(faultOf('lines.compat.at', 0.4)).toMatch(/no such setting/)
    expect(allowedAt('history.maxTurns')).toBe('a whole number of at least 0, or null')
    expect(allowedAt('compaction.mode')).toBe('one of default, safeguard, off')
    expect(allowedAt('relevance.recencyHours')).toBe('a number above 0')
    expect(allowedAt('counting.safetyMargin')).toBe('a number of at least 1')
    expect(allowedAt('window.default')).toBe('a whole number from 1 to 1000000000')
    expect(allowedAt('pruning.keepTools')).toBe('a list, each a text')
    expect(allowedAt('flush.delivery')).toBe('a list, each one of system, user')
    expect(allowedAt('lines.compact')).toBe('a group of settings')
    expect(allowedAt('history.channels.x.users.y')).toBe('a whole number of at least 0')
    expect(allowedAt('lines.compat')).toBe('nothing')
    expect(faultOf('bootstrap.files', 'x')).toMatch(/^"x" is not allowed here: a list, each a text/)
    expect(faultOf('coldStorage.path', ['x'])).toMatch(/^a list is not allowed here: a text/)
    expect(faultOf('coldStorage.path', null)).toMatch(/^null is not allowed here: a text/)
    expect(faultOf('relevance.recencyHours', 0)).toMatch(/^0 is not allowed here: a number above 0/)
    expect([faultOf('history.maxTurns', null), faultOf('relevance.recencyHours', 0.1)]).toEqual([null, null])
  })
})

it('V5 no number of the policy may be below nothing, and each says what it may be', () => {
  const numbers = Object.keys(resolvePolicy([]).origin).filter(
    (path) => typeof valueAt(DEFAULT_POLICY, path) === 'number',
  )
  expect(numbers.length).toBeGreaterThan(60)
  for (const path of numbers) {
    expect(faultOf(path, -1), path).toMatch(/(from|at least|above) \d/)
    expect(faultOf(path, Number.POSITIVE_INFINITY), path).not.toBeNull()
  }
})

describe('X9 resolving', () => {
  it('lays levels over each other, weakest first, and names the origin of every value', () => {
    const { policy, origin } = resolvePolicy([
      { level: 'session', label: 'session s1', patch: { lines: { compact: { at: 0.6 } } } },
      { level: 'agent', label: 'agent main', patch: { lines: { compact: { at: 0.7 }, slide: { at: 0.8 } } } },
      { level: 'preset', label: 'preset vs7', patch: PRESETS.vs7 },
    ])
    expect(policy.lines.compact.at).toBe(0.6)
    expect(policy.lines.slide.at).toBe(0.8)
    expect(origin['lines.compact.at']).toEqual({ level: 'session', label: 'session s1' })
    expect(origin['lines.slide.at']).toEqual({ level: 'agent', label: 'agent main' })
    expect(origin['budget.enabled']).toEqual({ level: 'preset', label: 'preset vs7' })
    expect(origin['counting.safetyMargin']).toEqual({ level: 'default', label: 'default' })
  })

  it('fills a channel that is named for the first time', () => {
    const patch: PolicyPatch = { history: { channels: { telegram: { dmTurns: 50 } } } }
    const { policy } = resolvePolicy([{ level: 'store', label: 'x', patch }])
    expect(policy.history.channels.telegram).toEqual({ dmTurns: 50, groupTurns: null, users: {} })
  })

  it('keeps keys with dots whole', () => {
    const patch = patchAt('window.byModel.gpt-4\\.1', 100_000)
    const { policy, origin } = resolvePolicy([{ level: 'store', label: 'x', patch }])
    expect(policy.window.byModel['gpt-4.1']).toBe(100_000)
    expect(valueAt(policy, 'window.byModel.gpt-4\\.1')).toBe(100_000)
    expect(origin['window.byModel.gpt-4\\.1']?.level).toBe('store')
  })

  it('what a layer leaves undefined stays as it was', () => {
    const { policy, origin } = resolvePolicy([
      { level: 'store', label: 'x', patch: { lines: undefined, window: { cap: undefined, default: 5 } } },
    ])
    expect(policy).toEqual({ ...DEFAULT_POLICY, window: { ...DEFAULT_POLICY.window, default: 5 } })
    expect(Object.entries(origin).filter(([, { level }]) => level !== 'default')).toEqual([
      ['window.default', { level: 'store', label: 'x' }],
    ])
  })

  it('does not touch the defaults', () => {
    const before = structuredClone(DEFAULT_POLICY)
    const { policy } = resolvePolicy([])
    policy.lines.compact.at = 0.1
    policy.bootstrap.files.push('X.md')
    expect(DEFAULT_POLICY).toEqual(before)
  })

  const patches = fc.constantFrom<PolicyPatch>(
    PRESETS.vs7,
    PRESETS.openclaw,
    PRESETS.memfas,
    { lines: { compact: { at: 0.3 } } },
    { history: { channels: { telegram: { dmTurns: 3 } }, maxTurns: 9 } },
    { bootstrap: { files: ['A.md'] } },
  )
  const levels = fc.constantFrom(
    'preset' as const,
    'store' as const,
    'agent' as const,
    'model' as const,
    'session' as const,
  )

  it('is idempotent: what was resolved resolves to itself', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ level: levels, label: fc.constant('x'), patch: patches })),
        (layers) => {
          const { policy } = resolvePolicy(layers)
          expect(resolvePolicy([{ level: 'session', label: 'again', patch: policy }]).policy).toEqual(policy)
        },
      ),
    )
  })
})
