import type { Policy } from '../../core/policy/policy'
import { PRESET_NAMES, PRESETS, type PresetName } from '../../core/policy/presets'
import { type PolicyOrigin, resolvePolicy, valueAt } from '../../core/policy/resolve'
import type { RuntimePolicy } from '../../core/policy/runtime/runtime-policy'
import { WISH_PATHS } from '../../core/policy/store-grants'
import type { Tokens } from '../../core/units/units'
import type { FrameSeries } from '../charts/frames-series'
import type { PolicyChanges } from './policy-edit'
import { flatPolicy, sameValue, withChanges } from './policy-values'

/** What a session's pages draw: the operator's draft for it, and what its runtime really does. */
export type SessionPolicy = {
  /** The draft. */
  readonly policy: Policy
  /** Where each value comes from, by its path. */
  readonly origin: { readonly [path: string]: PolicyOrigin }
  /** Why the files could not be read, so that this is the default; null when they could. */
  readonly problem: string | null
  readonly runtime: RuntimePolicy
}

/** What a trial begins from: the draft of the operator's files, or a preset. */
export const TRIAL_BASES = ['effective', ...PRESET_NAMES] as const

export type TrialBase = (typeof TRIAL_BASES)[number]

/** A base, or `tried`: a base with values replaced. */
export type TrialName = TrialBase | 'tried'

/** What a reader calls it: `your files`, `preset vs7`. */
export function trialWords(name: TrialName): string {
  if (name === 'effective') return 'your files'
  return name === 'tried' ? 'this draft' : `preset ${name}`
}

export function parseTrialBase(value: unknown): TrialBase | null {
  return TRIAL_BASES.find((base) => base === value) ?? null
}

/**
 * The policy that is tried: what it begins from, with some values replaced. Nothing of it is saved. A preset that is
 * tried brings its numbers and switches; who is asked and which folders are used stays as the operator has it.
 */
export function trialPolicy(effective: Policy, base: TrialBase | null, changes: PolicyChanges): Policy {
  if (base === null || base === 'effective') return withChanges(effective, changes)
  const preset = presetPolicy(base)
  const acting = Object.values(WISH_PATHS)
    .flat()
    .map((path) => [path, valueAt(effective, path)])
  return withChanges(withChanges(preset, Object.fromEntries(acting)), changes)
}

/** What a session can be tried with: the changed draft where there is one, the operator's files, each preset. */
export function trialCandidates(
  effective: Policy,
  tried: { readonly base: TrialBase; readonly changes: PolicyChanges } | null,
): { readonly name: TrialName; readonly policy: Policy }[] {
  const bases = TRIAL_BASES.map((name) => ({ name, policy: trialPolicy(effective, name, {}) }))
  if (tried === null || Object.keys(tried.changes).length === 0) return bases
  return [{ name: 'tried', policy: trialPolicy(effective, tried.base, tried.changes) }, ...bases]
}

function presetPolicy(name: PresetName): Policy {
  return resolvePolicy([{ level: 'preset', label: `preset ${name}`, patch: PRESETS[name] }]).policy
}

/** The values of a trial that are not those of the draft. */
export function trialChanges(effective: Policy, tried: Policy): PolicyChanges {
  const before = flatPolicy(effective)
  return Object.fromEntries(
    [...flatPolicy(tried)].filter(([path, value]) => !sameValue(value, before.get(path))),
  )
}

/**
 * How often the calls on a chart rose through a level. Columns that represent several calls count by their largest, so
 * that the figure is a lower bound then.
 */
export function crossingsIn(series: FrameSeries, tokens: Tokens): number {
  let before = 0
  let times = 0
  for (const total of series.max) {
    if (total === null) continue
    if (total >= tokens && before < tokens) times += 1
    before = total
  }
  return times
}
