import { faultOf } from '../../core/policy/fault-of'
import { knobAt } from '../../core/policy/knobs/knob-at'
import { knobWords } from '../../core/policy/knobs/knob-words'
import type { PolicyChanges } from '../policy/policy-edit'
import { type FieldOption, fieldKind, optionsOf } from '../policy/policy-field'
import { parseTrialBase, type TrialBase } from '../policy/policy-trial'
import type { SearchValues } from '../session/session-selection'
import { wholeNumber } from '../session/session-selection'
import { addressQuery } from '../text/address-query'

/** A value of the policy that a plan depends on, and how it is moved. */
export type PlanKnob = {
  readonly path: string
  readonly kind: 'number' | 'share' | 'flag' | 'choice'
  /** Ends and step of the slider; `window`: the session's own. */
  readonly range?: { readonly from: number; readonly to: number | 'window'; readonly step: number }
  readonly options: readonly FieldOption[]
}

/** A knob of the policy that is tried; its kind and its options are those of the table of knobs. */
export function planKnob(path: string, range?: PlanKnob['range']): PlanKnob {
  const shape = knobAt(path)?.shape
  if (shape === undefined) throw new Error(`the policy has no ${path}`)
  const kind = fieldKind(shape)
  const isMoved = kind === 'number' || kind === 'flag' || kind === 'choice'
  if (!isMoved) throw new Error(`${path} is no number, switch or choice`)
  return {
    path,
    kind: shape.unit === 'share' ? 'share' : kind,
    options: optionsOf(shape),
    ...(range === undefined ? {} : { range }),
  }
}

/** What matters for a plan, the strongest first. */
export const PLAN_KNOBS: readonly PlanKnob[] = [
  planKnob('compaction.keepRecentTokens', { from: 0, to: 'window', step: 500 }),
  planKnob('compaction.mode'),
  planKnob('summary.rolling.enabled'),
  planKnob('summary.rolling.windowTurns', { from: 0, to: 40, step: 1 }),
  planKnob('compaction.parts', { from: 1, to: 8, step: 1 }),
  planKnob('compaction.oversizedShare', { from: 0.05, to: 1, step: 0.05 }),
  planKnob('history.maxShare', { from: 0.05, to: 1, step: 0.05 }),
]

/** How a compaction is tried: nothing of it is saved. */
export type PlanKnobs = {
  readonly base: TrialBase
  /** Values of `PLAN_KNOBS` that are not as the base has them. */
  readonly changes: PolicyChanges
  /** The policy's model is left out; the digest is the summary. */
  readonly digest: boolean
  /** The call of the plan; null: the next one. */
  readonly call: number | null
  /** What the summary pays most attention to. */
  readonly focus: string
}

export const LONGEST_FOCUS = 500

/** Reads knobs from an address; what cannot be there is as good as nothing. */
export function readPlanKnobs(values: SearchValues): PlanKnobs {
  const changes: { [path: string]: unknown } = {}
  for (const { path } of PLAN_KNOBS) {
    const text = values[path]
    if (typeof text !== 'string') continue
    const value = knobValue(text)
    if (faultOf(path, value) === null) changes[path] = value
  }
  const { focus } = values
  return {
    base: parseTrialBase(values.base) ?? 'effective',
    changes,
    digest: values.summary === 'digest',
    call: wholeNumber(values.call),
    focus: typeof focus === 'string' ? focus.slice(0, LONGEST_FOCUS) : '',
  }
}

/** The part of an address that names knobs: '' or `?…`; defaults are left out. */
export function planKnobsSearch({ base, changes, digest, call, focus }: PlanKnobs): string {
  const search = new URLSearchParams()
  if (base !== 'effective') search.set('base', base)
  for (const { path } of PLAN_KNOBS) if (path in changes) search.set(path, String(changes[path]))
  if (digest) search.set('summary', 'digest')
  if (call !== null) search.set('call', String(call))
  if (focus !== '') search.set('focus', focus)
  return addressQuery(search)
}

/**
 * Knobs without what no plan depends on: two that agree in this have the same plan. Of a focus it matters whether there
 * is one, since a checkpoint serves only where there is none.
 */
export function planKey(knobs: PlanKnobs): string {
  return planKnobsSearch({ ...knobs, focus: knobs.focus === '' ? '' : '*' })
}

/** The value that a text represents. */
export function knobValue(text: string): unknown {
  const trimmed = text.trim()
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true'
  return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : trimmed
}

/** Name and meaning of a knob; times are entered as milliseconds. */
export function planKnobWords({ path }: PlanKnob): { readonly label: string; readonly about: string } {
  const { label, about, unit } = knobWords(path)
  return { label: unit === 'ms' ? `${label}, ms` : label, about }
}
