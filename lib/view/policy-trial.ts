import type { Policy } from '../core/policy/policy'
import { PRESET_NAMES, PRESETS, type PresetName } from '../core/policy/presets'
import { type Origin, resolvePolicy } from '../core/policy/resolve'
import type { FrameSeries } from './frames-series'
import type { PolicyChanges } from './policy-edit'
import { flatPolicy, sameValue, withChanges } from './policy-values'

/** The policy in force for a session, as its pages draw it. */
export type SessionPolicy = {
  readonly policy: Policy
  /** Where each value comes from, by its path. */
  readonly origin: { readonly [path: string]: Origin }
  /** Why the files could not be read, so that this is the default; null when they could. */
  readonly problem: string | null
}

/** What a trial begins from: the policy in force, or a preset. */
export const TRIAL_BASES = ['effective', ...PRESET_NAMES] as const

export type TrialBase = (typeof TRIAL_BASES)[number]

export function parseTrialBase(value: unknown): TrialBase | null {
  return TRIAL_BASES.find((base) => base === value) ?? null
}

/** The policy that is tried: what it begins from, with some values replaced. Nothing of it is saved. */
export function trialPolicy(effective: Policy, base: TrialBase | null, changes: PolicyChanges): Policy {
  return withChanges(base === null || base === 'effective' ? effective : presetPolicy(base), changes)
}

function presetPolicy(name: PresetName): Policy {
  return resolvePolicy([{ level: 'preset', label: `preset ${name}`, patch: PRESETS[name] }]).policy
}

/** The values of a trial that are not those in force. */
export function trialChanges(effective: Policy, tried: Policy): PolicyChanges {
  const before = flatPolicy(effective)
  return Object.fromEntries(
    [...flatPolicy(tried)].filter(([path, value]) => !sameValue(value, before.get(path))),
  )
}

/**
 * How often the calls on a chart rose through a level. Columns that stand for several calls count by their largest, so
 * that the figure is a lower bound then.
 */
export function crossingsIn(series: FrameSeries, tokens: number): number {
  let before = 0
  let times = 0
  for (const total of series.max) {
    if (total === null) continue
    if (total >= tokens && before < tokens) times += 1
    before = total
  }
  return times
}
