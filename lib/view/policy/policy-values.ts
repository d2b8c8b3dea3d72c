import type { KnobUnit } from '../../core/policy/knobs/knob'
import { knobWords } from '../../core/policy/knobs/knob-words'
import { mergePatches } from '../../core/policy/merge-patches'
import { joinPath } from '../../core/policy/path'
import type { Policy, PolicyPatch } from '../../core/policy/policy'
import { patchAt } from '../../core/policy/resolve'
import { formatCount, formatDuration, formatPercent } from '../text/format'

/** Every single value of a policy by its dotted path, tables of the operator's keys included. */
export function flatPolicy(policy: Policy): ReadonlyMap<string, unknown> {
  const flat = new Map<string, unknown>()
  const walk = (value: object, keys: readonly string[]) => {
    for (const [key, inner] of Object.entries(value)) {
      const path = [...keys, key]
      if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) walk(inner, path)
      else flat.set(joinPath(path), inner)
    }
  }
  walk(policy, [])
  return flat
}

export function sameValue(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** A value as a file would write it, short: `0.5`, `plan, error`, `none`. */
export function valueText(value: unknown): string {
  if (value === null) return 'none'
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.map(String).join(', ')
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return value === '' ? 'empty' : String(value)
}

/** A value with its unit, for reading: `50 %`, `20 000 tokens`, `5 min`. */
export function readableValue(value: unknown, unit: KnobUnit): string {
  if (Array.isArray(value) && unit === 'share') {
    return value.map((item) => (typeof item === 'number' ? formatPercent(item) : String(item))).join(', ')
  }
  if (typeof value !== 'number') return valueText(value)
  switch (unit) {
    case 'share':
      return formatPercent(value)
    case 'ms':
      return value === 0 ? '0' : formatDuration(value)
    default:
      return unit in UNITS
        ? `${Number.isInteger(value) ? formatCount(value) : value}\u00a0${UNITS[unit]}`
        : String(value)
  }
}

/** Units that are behind a number. The others are formatted, or say nothing that the label does not. */
const UNITS: { readonly [U in KnobUnit]?: string } = {
  tokens: 'tokens',
  chars: 'chars',
  seconds: 's',
  hours: 'h',
  days: 'days',
  turns: 'turns',
}

/** A value that differs between two policies. */
export type PolicyChange = {
  readonly path: string
  /** `Load lines: Compact at`. */
  readonly label: string
  readonly before: string
  readonly after: string
}

/** What differs between two policies, in the order of the values. `absent` values of tables read as not set. */
export function policyChanges(before: Policy, after: Policy): PolicyChange[] {
  const from = flatPolicy(before)
  const to = flatPolicy(after)
  return [...new Set([...from.keys(), ...to.keys()])].flatMap((path) => {
    if (sameValue(from.get(path), to.get(path))) return []
    const { label, unit } = knobWords(path)
    const words = (value: unknown) => (value === undefined ? 'not set' : readableValue(value, unit))
    return [{ path, label, before: words(from.get(path)), after: words(to.get(path)) }]
  })
}

/** A policy with some values replaced, without any file. */
export function withChanges(policy: Policy, changes: { readonly [path: string]: unknown }): Policy {
  return Object.entries(changes).reduce<PolicyPatch>(
    (result, [path, value]) => (value === undefined ? result : mergePatches(result, patchAt(path, value))),
    policy,
  ) as Policy
}
